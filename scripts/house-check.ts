import { layerRule } from './house/layer-rule.ts';
import { senderRule } from './house/sender-rule.ts';
import { shapeRules } from './house/shape-rules.ts';
import { readSources, type Rule } from './house/source-file.ts';
import { surroundingsRules } from './house/surroundings-rules.ts';
import { testRules } from './house/test-rules.ts';
import { textRules } from './house/text-rules.ts';

/**
 * The rules of the house that neither the compiler nor the linter can check. Prints one line a violation, `path:line: rule: message`.
 * Usage: house-check [root]; exits 1 when a rule is broken.
 */
const RULES: readonly Rule[] = [layerRule, textRules, surroundingsRules, shapeRules, testRules];

const files = readSources(process.argv[2] ?? process.cwd());
const violations = [...files.flatMap((file) => RULES.flatMap((rule) => rule(file))), ...senderRule(files)];
for (const { path, line, rule, message } of violations) console.log(`${path}:${line}: ${rule}: ${message}`);
console.log(`house: ${files.length} files, ${violations.length} violations`);
if (violations.length > 0) process.exitCode = 1;
