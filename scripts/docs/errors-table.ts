import { ERRORS } from '../../protocol/errors.ts';

/** The catalogue of errors as a table for docs/troubleshooting.md. */
export function errorsTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { message, next }]) => `| \`${code}\` | ${cell(message)} | ${cell(next)} |`,
  );
  return ['| code | what happened | what to do |', '|---|---|---|', ...rows].join('\n');
}

/** Parameters in italics: they stand for what the error names. */
function cell(template: string): string {
  return template.replace(/\{(\w+)\}/g, '*$1*').replaceAll('|', '\\|');
}
