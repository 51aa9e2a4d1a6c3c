/** The event by which `signalbox hooks install` tries the way to the hub. No agent has one of this name, and it changes nothing (spec: agents, section 3). */
export const SELF_TEST = 'SelfTest';
