import { Visitor } from 'oxc-parser';
import { isOutside } from './layers.ts';
import type { SourceFile, Violation } from './source-file.ts';

/** Where the environment may be read: the configuration's door, and the composition root that hands it there. */
const ENVIRONMENT_ROOM = /^(?:runtime\/config|cli)\//;

/** What a constant is called that holds a timeout of the rules. */
const TIMEOUT = /(?:^|_)(?:TIMEOUT|TTL|MS|SECONDS|MINUTES)(?:_|$)/i;

/** No module reads the environment, and the ground floor knows neither clock nor chance; its timeouts stand in one table. */
export function surroundingsRules(file: SourceFile): Violation[] {
  if (isOutside(file.path)) return [];
  const found: Violation[] = [];
  const tell = (rule: string, offset: number, message: string): void => {
    found.push({ path: file.path, line: file.lineAt(offset), rule, message });
  };
  const mayReadEnvironment = ENVIRONMENT_ROOM.test(file.path);
  const isPure = file.path.startsWith('protocol/');

  new Visitor({
    MemberExpression(node) {
      if (node.object.type !== 'Identifier') return;
      const name = memberName(node.property, node.computed);
      const access = `${node.object.name}.${name}`;
      if (access === 'process.env' && !mayReadEnvironment) {
        tell(
          'environment',
          node.start,
          'the environment is read in runtime/config/ and handed in by cli/ only',
        );
      }
      if (isPure && (access === 'Date.now' || access === 'Math.random')) {
        tell('pure', node.start, `${access} on the ground floor: time and chance are parameters`);
      }
    },
    VariableDeclarator(node) {
      const holdsNumber = node.init?.type === 'Literal' || node.init?.type === 'BinaryExpression';
      if (isPure && holdsNumber && node.id.type === 'Identifier' && TIMEOUT.test(node.id.name)) {
        if (file.path !== 'protocol/expiry.ts')
          tell('timeout', node.start, 'a timeout of the rules belongs in protocol/expiry.ts');
      }
      if (node.init?.type !== 'Identifier' || node.init.name !== 'process') return;
      if (!mayReadEnvironment && node.id.type === 'ObjectPattern') {
        tell('environment', node.start, 'take process apart in runtime/config/ or cli/ only');
      }
    },
    ImportDeclaration(node) {
      if (mayReadEnvironment || !/^(?:node:)?process$/.test(node.source.value)) return;
      for (const each of node.specifiers) {
        if (each.type === 'ImportSpecifier' && 'name' in each.imported && each.imported.name === 'env') {
          tell(
            'environment',
            node.start,
            'the environment is read in runtime/config/ and handed in by cli/ only',
          );
        }
      }
    },
    NewExpression(node) {
      if (!isPure || node.callee.type !== 'Identifier' || node.callee.name !== 'Date') return;
      if (node.arguments.length === 0)
        tell('pure', node.start, 'new Date() on the ground floor: time is a parameter');
    },
  }).visit(file.program);
  return found;
}

function memberName(property: { type: string; name?: unknown; value?: unknown }, computed: boolean): string {
  return String(computed && property.type === 'Literal' ? property.value : property.name);
}
