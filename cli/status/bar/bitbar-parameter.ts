/**
 * `name=value` behind the `|` of a line, as SwiftBar and xbar both read it: without quotes up to the next space, else up to the same quote; neither knows an
 * escape that the other knows too. @returns `undefined` for a value that neither form can hold
 */
export function parameter(name: string, value: string): string | undefined {
  if (/^[\w@%+=:,./-]+$/.test(value)) return `${name}=${value}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line can't hold them.
  if (value === '' || /[|\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value)) return undefined;
  const quote = ['"', "'"].find((each) => !value.includes(each));
  return quote === undefined ? undefined : `${name}=${quote}${value}${quote}`;
}
