/** Old news is no news: a message that could not be brought to the server for so long is given up [ms] (spec: consumers, section 2). */
export const NEWS = 10 * 60_000;
