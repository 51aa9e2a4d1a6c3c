# syntax=docker/dockerfile:1
# The hub alone. Two stages: SQLite may have to be compiled, and neither compiler nor sources belong into what runs.
# `npm run image:check` runs these very commands in a clean folder, without Docker.

FROM node:20.20.2-bookworm AS build
WORKDIR /app
# A package that has to be compiled finds Node's headers here and downloads none.
ENV npm_package_config_node_gyp_nodedir=/usr/local
COPY package.json package-lock.json .npmrc ./
# Compiled before the sources come, so that a change of ours compiles nothing again. Only these two packages may run scripts.
RUN npm ci --no-audit --ignore-scripts
RUN npm rebuild better-sqlite3 esbuild
COPY . .
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts --no-audit

FROM node:20.20.2-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production SIGNALBOX_HOME=/data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# A new volume takes over owner and mode of the folder it is mounted on.
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
# The hub ends cleanly within 2 s.
STOPSIGNAL SIGTERM
# hub.json knows the port, whatever the settings say.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "const { http_port: port, http_host: host } = JSON.parse(fs.readFileSync(process.env.SIGNALBOX_HOME + '/hub.json', 'utf8')); fetch('http://' + (!host || host === '0.0.0.0' ? '127.0.0.1' : host) + ':' + port + '/healthz').then(({ status }) => process.exit(status === 200 || status === 401 ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/bin/main.js", "up"]
