import { describe, expect, it } from 'vitest';
import { looksLikeQuestion } from '../../../protocol/question.ts';

const REPORT = `I moved the retry into the payment client.

- added \`withRetry\` in src/pay.ts
- removed the old loop
- all 42 tests pass`;

/** Messages that ask the user something. */
const ASKS: readonly (readonly [string, string])[] = [
  // Ends with a question.
  ['a question alone', 'Should I proceed?'],
  ['after a report', `${REPORT}\n\nShould I also update the docs?`],
  ['after a report on the same line', 'The tests pass. Do you want me to commit?'],
  ['a bare question at the end', 'I found two configs. Is the second one still used?'],
  ['full-width mark', 'I can rename the table？'],
  ['in bold', 'Done so far.\n\n**Should I delete the old table?**'],
  ['with yes or no behind it', 'Overwrite the file? (y/n)'],
  ['with a picture behind it', 'Shall we ship it? 🚀'],
  ['with thanks behind it', 'Which port does staging use? Thanks!'],
  ['question before a recommendation', 'Should I go with plan A? It is the smaller change.'],
  [
    'question two sentences before the end',
    'Which one do you prefer? I would take the first. It has no dependencies.',
  ],
  ['code inside the question', 'Should I rename it to `foo?bar`?'],
  ['a quotation inside the question', 'Did you mean "payments" or "orders"?'],
  ['a link inside the question', 'Do you want the change from https://example.com/pr/12 as well?'],
  ['after a code block', 'This is the migration:\n\n```sql\nDROP TABLE a;\n```\n\nMay I run it?'],
  ['in brackets', "I'd drop the column (or do you still need it?)"],
  ['a heading before the question', '## Next step\n\nDo you want me to open a pull request?'],
  [
    'bullet that speaks to the user',
    'Two things are open:\n- should I keep the old name?\n- do you want a changelog entry?',
  ],
  ['list of open questions', 'Open questions:\n\n- Configurable retry?\n- Timeout per request or in all?'],
  // Without a question mark.
  ['opening without a mark', 'The schema changed. Do you want me to regenerate the client'],
  ['want me to', "It's a one-line fix. Want me to apply it."],
  ['connective in front', 'Otherwise, should I leave it as it is.'],
  ['please confirm', 'This deletes 4,000 rows. Please confirm before I run it.'],
  ['let me know which', 'Both work. Let me know which one you prefer.'],
  ['let me know how', "Let me know how you'd like to proceed."],
  ["let me know if you'd like me to", "Let me know if you'd like me to add tests."],
  ['need a decision', 'I need your decision on the license.'],
  ['waiting for', "I'm waiting for your approval to push."],
  ['reply with', 'Reply with 1 or 2.'],
  ['up to you', "Either is fine with me, it's up to you."],
  ['tell me whether', 'Tell me whether the old API must stay.'],
  ['could you', 'The key is missing. Could you add it to .env? I can go on then.'],
  ['curly apostrophe', 'Let me know if you’d like me to go on.'],
  // Choices.
  ['numbered after a question', 'Which approach do you prefer?\n\n1. SQLite\n2. PostgreSQL'],
  ['numbered after "options:"', 'There are two options:\n\n1) keep the table\n2) split it'],
  ['lettered', 'We have to pick one. The options:\n\nA) rewrite\nB) patch\n\nI would patch.'],
  ['named options', 'Possible ways forward:\n\n**Option A** – rewrite it\n**Option B** – patch it'],
  ['named options with details', 'Possible approaches:\n\nOption 1: rewrite it\nOption 2: patch it'],
  [
    'bullets after a question',
    'How would you like to proceed?\n- keep both\n- drop the old one\n- ask the team',
  ],
  ['would you like me to, then a list', 'Would you like me to:\n1. push the branch\n2. open a pull request'],
  [
    'list with inner lines',
    'Which option should I take?\n\n1. Rewrite\n    - two days\n2. Patch\n    - two hours',
  ],
  // Other languages.
  ['German question', 'Die Tests laufen. Soll ich den Commit pushen?'],
  ['German phrase', 'Bitte bestätige, dass ich die Tabelle löschen darf.'],
  ['German notice', 'Beides geht. Sag mir, welche Variante du willst.'],
  ['German choices', 'Es gibt zwei Möglichkeiten:\n\n1. Umbauen\n2. Flicken'],
  ['German opening without a mark', 'Möchtest du, dass ich weitermache.'],
  ['French question', 'Les tests passent. Voulez-vous que je continue ?'],
  ['French phrase', 'Veuillez confirmer avant la suppression.'],
  ['French notice', 'Dites-moi quelle option vous convient.'],
  ['Spanish question', 'Las pruebas pasan. ¿Quieres que haga el commit?'],
  ['Spanish phrase', 'Por favor, confirma que puedo borrar la tabla.'],
  ['Spanish choices', 'Hay dos opciones:\n\na) reescribir\nb) parchear'],
  ['Chinese question', '测试通过了。需要我提交吗？'],
  ['Chinese particle', '测试通过了。现在可以提交吗。'],
  ['Chinese phrase', '这会删除数据，请确认。'],
  ['Chinese choices', '有两个方案：\n1. 重写\n2. 修补'],
  ['Chinese numbered without a space', '请选择：\n1、重写\n2、修补'],
  ['Japanese question', 'テストは通りました。コミットしてもよろしいですか？'],
  ['Japanese particle', 'コミットしますか。'],
  ['Japanese phrase', 'どの案にするか教えてください。'],
];

/** Messages that ask nothing. */
const ASKS_NOTHING: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['blank lines', '\n \n'],
  ['a report', REPORT],
  ['done', 'Done, tests pass.'],
  ['rhetorical question in a report', 'Why was it slow? The index was missing. I added it. All tests pass.'],
  [
    'question far from the end',
    `Should I worry about the cache?\n\n${REPORT}\n\nThe cache is fine. It is never hit. Nothing else changed.`,
  ],
  ['question in code', 'The loop is fixed:\n\n```js\nreturn ok ? a : b // why?\n```'],
  ['question at the end of code', 'This prints the prompt:\n\n```\nProceed?\n```'],
  ['tilde fence', 'Output:\n\n~~~\nShould I go on?\n~~~'],
  ['fence never closed', 'Output:\n\n```\nDo you want to continue?'],
  ['indented code', 'The script prints\n\n    Do you want to continue?'],
  ['inline code', 'The button now says `Delete?`'],
  ['quotation', 'The dialog used to say "Do you want to continue?"'],
  ['curly quotation', 'The dialog says “Should I go on?”'],
  ['German quotation', 'Der Dialog fragt jetzt „Soll ich fortfahren?“'],
  ['Chinese quotation', '对话框现在显示「需要我继续吗？」'],
  ['quoted line', 'Your message was:\n\n> should I use Redis?'],
  ['address', 'The endpoint is https://example.com/search?'],
  ['address with a phrase', 'See https://example.com/?q=please-confirm'],
  ['heading', 'All done.\n\n## What is next?'],
  ['heading in front of the answer', '### Why did it fail?\n\nThe token had expired. I renewed it.'],
  ['table', '| question | answer |\n| --- | --- |\n| works? | does it? |'],
  ['rule at the end', 'All tests pass.\n\n---'],
  ['list after "what changed"', 'What changed?\n\n1. the retry\n2. the timeout'],
  ['list after "what did I do"', 'What did I change?\n- the retry\n- the timeout'],
  ['numbered report', 'I did the following:\n\n1. added a retry\n2. removed the loop'],
  ['numbered next steps', 'Next steps for the team:\n\n1. deploy\n2. watch the logs'],
  ['options of a program', 'The command supports these options:\n\n1. --json\n2. --quiet'],
  ['options that were weighed', 'I compared these alternatives:\n\n1. SQLite\n2. files'],
  ['bullets after "options:"', 'New options:\n- `--json`\n- `--quiet`'],
  ['one entry only', 'The options:\n\n1. rewrite'],
  [
    'choices far from the end',
    'There are two options:\n1. a\n2. b\n\nI took the first.\nIt works.\nAll tests pass.',
  ],
  ['list without a line in front', '1. added a retry\n2. removed the loop'],
  ['list of covered cases', 'Covered cases:\n- file missing?\n- file empty?'],
  ['closing courtesy', 'All tests pass. Let me know if you have any questions!'],
  ['closing courtesy, need', 'Let me know if you need anything else.'],
  ['closing courtesy, issues', 'Let me know if you run into any issues.'],
  ['closing courtesy, changes', "Let me know if you'd like any changes."],
  ['closing question', 'The fix is in. Anything else?'],
  ['closing question, help', 'Is there anything else I can help with?'],
  ['any questions', 'That is the whole change. Any questions?'],
  ['rhetorical exclamation', 'It was a missing comma. Who knew?'],
  ['rhetorical tag', 'One line fixed all of it. Pretty neat, right?'],
  ['offer without a question', 'If you want, I can also add tests later.'],
  ['reported choice', 'I checked which option is faster and took it.'],
  ['reported should', 'The spec says that clients should I/O in batches.'],
  ['reply in a protocol', 'The server will reply with 404 in that case.'],
  ['choices of others', 'The user can now choose between three options:\n\n1. Daily\n2. Weekly'],
  ['approaches that were dealt with', 'I fixed the failing approaches:\n1. caching\n2. batching'],
  ['list under a picture', '🚀\n\n1. added a retry\n2. removed the loop'],
  ['picture alone', '🚀'],
  ['list entry in question form alone', '- file missing?'],
  ['thanks alone', 'Thanks!'],
  ['German report', 'Fertig. Alle Tests laufen durch.'],
  ['German courtesy', 'Fertig. Sag Bescheid, falls du Fragen hast.'],
  ['French report', "C'est terminé. Tous les tests passent."],
  ['French courtesy', 'Dites-moi si vous avez des questions.'],
  ['Spanish report', 'Listo. Todas las pruebas pasan.'],
  ['Spanish courtesy', 'Avísame si tienes alguna duda.'],
  ['Chinese report', '完成了，所有测试都通过。'],
  ['Chinese courtesy', '已完成。如有问题请告诉我。'],
  ['Japanese report', '完了しました。テストはすべて通っています。'],
  ['Japanese courtesy', '完了しました。質問があれば教えてください。'],
];

describe('question detection (spec: state, section 7)', () => {
  it.each(ASKS)('asks: %s', (_name, message) => expect(looksLikeQuestion(message)).toBe(true));

  it.each(ASKS_NOTHING)('asks nothing: %s', (_name, message) =>
    expect(looksLikeQuestion(message)).toBe(false),
  );

  it.each([
    ['an open code block that began long before', '```\n', 'a line of code\n', '\nShould I go on?', false],
    ['a closed one', '```\ncode\n```\n', 'some prose\n', '\nShould I go on?', true],
    ['a question long before the end', 'Should I go on?\n', 'some prose.\n', '\nAll done.', false],
  ])('looks at the end only, but knows %s', (_name, start, line, end, expected) => {
    expect(looksLikeQuestion(start + line.repeat(1000) + end)).toBe(expected);
  });

  it.each([
    ['spaces', ' '],
    ['quotation marks', '"'],
    ['open quotations', '„'],
    ['question marks', '? '],
    ['backticks', '`'],
    ['brackets', ']('],
    ['pictures', '🚀'],
    ['apostrophes', "'"],
    ['stars', '*'],
    ['fences', '```\n'],
    ['new lines', '\n'],
    ['list entries', '1. a\n'],
    ['a phrase', 'let me know '],
    ['y/n', ' y/n'],
    ['words in front of choices', '可选的'],
    ['more such words', 'the '],
    ['half a surrogate pair', '\ud83d'],
  ])('answers on a megabyte of %s', (_name, piece) => {
    const line = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(typeof looksLikeQuestion(`${line}a`)).toBe('boolean');
    expect(typeof looksLikeQuestion(`${line}a:\n1. a\n2. b`)).toBe('boolean');
  });
});
