/** Columns that a line of the intro may take; a longer one goes on in the next. */
const WIDTH = 80;

export interface IntroParts {
  /** SIGNALBOX_HOME of the demo's hub. */
  readonly folder: string;
  readonly mqttPort: number;
  /** How the user runs our commands. */
  readonly command: string;
}

/** How to watch the demo from elsewhere; its surfaces are real ones. */
export function watchHints({ folder, mqttPort, command }: IntroParts): readonly string[] {
  const home = `  SIGNALBOX_HOME=${folder}`;
  const status = `${command} status --follow`;
  return [
    'Every surface moves. To watch from another terminal:',
    `  npx mqtt sub -p ${mqttPort} -v -t 'signal/+'`,
    ...(home.length + 1 + status.length < WIDTH ? [`${home} ${status}`] : [`${home} \\`, `    ${status}`]),
  ];
}
