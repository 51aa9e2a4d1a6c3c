/** 32 letters and digits that nobody takes for one another, typed from a screen into a phone (Crockford's base 32, in lower case). */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits: more than anybody tries out over the network. */
const LENGTH = 16;
const GROUP = 4;

/** A topic that nobody guesses: `signalbox-7k3m-9p2q-4r8s-5t6v`. @param random gives so many random bytes that nobody can foresee */
export function privateTopic(random: (count: number) => Uint8Array): string {
  const letters = Array.from(random(LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');
  const groups = Array.from({ length: LENGTH / GROUP }, (_, index) =>
    letters.slice(index * GROUP, (index + 1) * GROUP),
  );
  return ['signalbox', ...groups].join('-');
}
