import { Visitor } from 'oxc-parser';
import type { SourceFile, Violation } from './source-file.ts';

/** The longest a test may sleep, in ms: it waits for a condition instead. */
const LONGEST_SLEEP = 50;

/** Tests wait for what they need, never for time to pass. */
export function testRules(file: SourceFile): Violation[] {
  if (!file.path.startsWith('test/')) return [];
  const found: Violation[] = [];
  const tell = (offset: number): void => {
    const message = `a test sleeps above ${LONGEST_SLEEP} ms; wait for the condition instead`;
    found.push({ path: file.path, line: file.lineAt(offset), rule: 'sleep', message });
  };
  new Visitor({
    AwaitExpression({ argument }) {
      if (argument.type !== 'CallExpression' || argument.callee.type !== 'Identifier') return;
      if (!/^(?:sleep|delay|pause|wait|setTimeout)$/.test(argument.callee.name)) return;
      if (milliseconds(argument.arguments[0]) > LONGEST_SLEEP) tell(argument.start);
    },
    NewExpression({ callee, arguments: [executor] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'Promise') return;
      if (executor?.type !== 'ArrowFunctionExpression' || executor.params.length !== 1) return;
      const [statement] = executor.body.type === 'BlockStatement' ? executor.body.body : [executor.body];
      const call = statement?.type === 'ExpressionStatement' ? statement.expression : statement;
      if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier') return;
      if (call.callee.name === 'setTimeout' && milliseconds(call.arguments[1]) > LONGEST_SLEEP)
        tell(call.start);
    },
  }).visit(file.program);
  return found;
}

function milliseconds(node: { type: string; value?: unknown } | undefined): number {
  return node?.type === 'Literal' && typeof node.value === 'number' ? node.value : 0;
}
