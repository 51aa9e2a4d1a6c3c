import { readHubFile } from '../../runtime/hub-file.ts';
import { inspectDatabase } from '../../services/aggregator/store/inspect-store.ts';
import type { CommandContext } from '../context.ts';
import { loadSettings } from '../settings.ts';
import { lookAt } from '../terminal/look.ts';
import { hooksState } from './hooks-state.ts';
import { hooksText } from './hooks-text.ts';
import { installingOn } from './installing.ts';

export interface HooksStatusOptions {
  readonly json?: true;
  readonly all?: true;
}

/** `signalbox hooks status`: agent by agent, what is installed, trusted and heard. @throws SignalboxError those of the settings */
export function runHooksStatus(options: HooksStatusOptions, context: CommandContext): void {
  const settings = loadSettings(context, {});
  const { paths, registry } = settings;
  const database = inspectDatabase(paths.database, readHubFile(paths.hubFile) !== undefined);
  const states = hooksState(
    installingOn(context, settings),
    database.kind === 'sound' ? database.events : [],
  );
  const now = Date.now();
  context.stdout.write(
    options.json
      ? `${JSON.stringify({ agents: states }, undefined, 2)}\n`
      : hooksText(
          states.filter(
            ({ here, hooks }) => options.all || here || hooks.some(({ installed }) => installed !== 'no'),
          ),
          (slug) => registry.find(slug)?.name ?? slug,
          lookAt(context, now),
        ),
  );
}
