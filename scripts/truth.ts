import { report, reportText } from '../test/truth/report.ts';

// `npm run truth`: how true the bus is to the recordings in test/fixtures. With --json the figures, scenario by scenario.
const scores = report();
console.log(process.argv.includes('--json') ? JSON.stringify(scores, null, 2) : reportText(scores));
