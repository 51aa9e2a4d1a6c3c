/**
 * The words of question detection (spec: state, section 7), one entry a language. Lower case, straight apostrophes. Latin phrases are matched as
 * whole words; Chinese and Japanese write no spaces, so theirs are matched anywhere.
 */
export interface Phrases {
  /** Ask, with or without a question mark, when a sentence begins with them. */
  readonly openings: readonly string[];
  /** Ask only in a sentence that ends with a question mark ("which option is faster" may be reported). */
  readonly questions: readonly string[];
  /** Ask for an answer or a decision, anywhere in a sentence. */
  readonly requests: readonly string[];
  /** Ask to be told something, unless a courtesy stands in the same sentence. */
  readonly notices: readonly string[];
  /** Make a notice the polite end of finished work: "let me know if you have any questions". */
  readonly courtesies: readonly string[];
  /** Words that call a list one of choices, and what alone may stand in front of them: a list of choices that were made is a report. */
  readonly choices: readonly string[];
  readonly choicesLead: readonly string[];
}

/** The phrases between bars. */
function list(phrases: string): string[] {
  return phrases
    .split('|')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}

export const PHRASES: Readonly<Record<'en' | 'de' | 'fr' | 'es' | 'zh' | 'ja', Phrases>> = {
  en: {
    openings: list(`
      should i | should we | shall i | shall we | may i | do you want | do you prefer | do you need me |
      would you like | would you prefer | would you rather | want me to | is it ok if | is it okay if |
      is it ok to | is it okay to | ok to proceed | okay to proceed | can i go ahead | could i go ahead |
      reply with | choose one of | pick one of | once you confirm | could you confirm | can you confirm |
      could you clarify | can you clarify
    `),
    questions: list(`
      which option | which approach | which one do you | which one would you | which one should |
      which of these | which do you | which would you | how would you like | how do you want |
      how should i | how should we | what would you like | what do you want | what should i |
      what should we | where should i | could you | can you | did you mean | are you ok with |
      are you okay with
    `),
    requests: list(`
      please confirm | please advise | please choose | please pick | please select | please decide |
      please clarify | please specify | please provide | please share | please answer | please reply |
      please approve | awaiting your | waiting for your | waiting on your | i need your |
      need your confirmation | need your approval | need your decision | need your input | say the word |
      your call | up to you | give me the go-ahead | need from you
    `),
    notices: list(`
      let me know | tell me which | tell me what | tell me how | tell me whether | tell me if |
      please tell me
    `),
    courtesies: list(`
      if you have any | if you have questions | if you have further | if you have more | if you need |
      if you run into | if you hit | if you encounter | if you notice | if you see | if you spot |
      if anything | if something | if there's anything | if there is anything | if there are any | if any |
      if that | if this | if it | how it goes | if you'd like any | if you'd like anything |
      if you would like any | if you want any | if you want anything
    `),
    choices: list(`
      options | choices | alternatives | approaches | ways forward | paths forward | ways to proceed | ways
    `),
    choicesLead: list(`
      there are | here are | we have | you have | i have | i see | you could take | the | these | your |
      our | my | some | a few | several | two | three | four | five | possible | main | available |
      following | remaining | next | other
    `),
  },
  de: {
    openings: list(`
      soll ich | sollen wir | sollte ich | darf ich | möchtest du | möchten sie | willst du | wollen sie |
      bist du einverstanden | sind sie einverstanden
    `),
    questions: list(`
      welche option | welche variante | welche lösung | welchen ansatz | wie möchtest du | wie möchten sie |
      wie soll ich | was soll ich | kannst du | können sie
    `),
    requests: list(`
      bitte bestätige | bitte bestätigen | bitte wähle | bitte wählen | bitte entscheide |
      bitte entscheiden | bitte teile mir | bitte teilen sie | ich brauche deine | ich brauche ihre |
      ich benötige deine | ich benötige ihre | deine entscheidung | ihre entscheidung
    `),
    notices: list(`
      sag mir | sagen sie mir | lass mich wissen | lassen sie mich wissen | gib mir bescheid |
      gib bescheid | sag bescheid | geben sie mir bescheid | geben sie bescheid
    `),
    courtesies: list(`
      falls du fragen | falls sie fragen | wenn du fragen | wenn sie fragen | wenn du noch | wenn sie noch |
      falls du noch | falls sie noch | falls etwas | wenn etwas | bei fragen | falls es | wenn es
    `),
    choices: list(`
      optionen | möglichkeiten | varianten | alternativen
    `),
    choicesLead: list(`
      es gibt | hier sind | wir haben | du hast | sie haben | ich sehe | die | diese | deine | ihre |
      einige | mehrere | zwei | drei | vier | mögliche | folgende | folgenden
    `),
  },
  fr: {
    openings: list(`
      dois-je | devrais-je | puis-je | voulez-vous | veux-tu | souhaitez-vous | souhaites-tu |
      préférez-vous | préfères-tu | aimeriez-vous | aimerais-tu | est-ce que je dois |
      est-ce que vous voulez | est-ce que tu veux
    `),
    questions: list(`
      quelle option | quelle approche | laquelle | comment souhaitez-vous | comment veux-tu |
      que souhaitez-vous | que dois-je | tu veux que | vous voulez que | pouvez-vous | peux-tu
    `),
    requests: list(`
      merci de confirmer | veuillez confirmer | merci de préciser | veuillez préciser | veuillez choisir |
      merci de choisir | j'attends votre | j'attends ta | j'ai besoin de votre | j'ai besoin de ta
    `),
    notices: list(`
      dites-moi | dis-moi | faites-moi savoir | fais-moi savoir | faites-le-moi savoir | fais-le-moi savoir
    `),
    courtesies: list(`
      si vous avez des | si vous avez besoin | si tu as des | si tu as besoin | si vous rencontrez |
      si tu rencontres | si quelque chose | s'il y a | en cas de | si besoin
    `),
    choices: list(`
      options | possibilités | choix | approches
    `),
    choicesLead: list(`
      il y a | voici | nous avons | vous avez | tu as | je vois | les | ces | vos | tes | des | quelques |
      plusieurs | deux | trois | quatre | possibles | suivantes
    `),
  },
  es: {
    openings: list(`
      debo | debería | quieres que | quiere que | te gustaría | le gustaría | prefieres | prefiere que |
      deseas que | desea que | puedo continuar
    `),
    questions: list(`
      qué opción | cuál opción | cuál prefieres | cuál prefiere | cómo quieres | cómo desea | qué debo |
      puedes | puede usted
    `),
    requests: list(`
      por favor confirma | por favor confirme | por favor, confirma | por favor, confirme | confírmame |
      confírmeme | por favor elige | por favor, elige | por favor elija | por favor, elija |
      por favor indica | por favor, indica | por favor indique | por favor, indique | necesito tu |
      necesito su | espero tu | espero su
    `),
    notices: list(`
      avísame | avíseme | dime | dígame | hazme saber | hágame saber
    `),
    courtesies: list(`
      si tienes | si tiene | si necesitas | si necesita | si encuentras | si encuentra | si algo | si hay |
      cualquier duda | cualquier pregunta
    `),
    choices: list(`
      opciones | alternativas | posibilidades
    `),
    choicesLead: list(`
      hay | estas son | tenemos | tienes | tiene | veo | las | estas | tus | sus | unas | algunas | varias |
      dos | tres | cuatro | posibles | siguientes
    `),
  },
  zh: {
    openings: [],
    questions: list(`
      哪个 | 哪种 | 哪一个 | 是否 | 怎么
    `),
    requests: list(`
      需要我 | 是否需要 | 是否要 | 是否继续 | 您希望 | 你希望 | 你想要 | 您想要 | 请确认 | 请选择 | 请回复 | 请决定 | 请提供 | 等待您的 | 等待你的 | 可以吗 |
      好吗 | 行吗 | 要我
    `),
    notices: list(`
      请告诉我 | 请告知 | 告诉我
    `),
    courtesies: list(`
      如有 | 如果有 | 若有 | 有任何 | 有问题 | 有疑问 | 如需 | 如果需要 | 如果你需要 | 如果您需要
    `),
    choices: list(`
      选项 | 方案 | 选择 | 方式
    `),
    choicesLead: list(`
      目前 | 现在 | 我们 | 你 | 您 | 这里 | 有 | 以下 | 下面 | 两个 | 两种 | 三个 | 三种 | 几个 | 几种 | 可选 | 的
    `),
  },
  ja: {
    openings: [],
    questions: list(`
      どちら | どの | どう
    `),
    requests: list(`
      よろしいですか | よろしいでしょうか | いかがでしょうか | いかがですか | しましょうか | ご希望ですか | ご確認ください | 選んでください | 選択してください | お選びください |
      ご指示ください | 指示をください | 決めてください
    `),
    notices: list(`
      教えてください | お知らせください
    `),
    courtesies: list(`
      質問があれば | 質問がありましたら | 不明な点 | 何かあれば | 何かありましたら | 問題があれば | 問題がありましたら | 必要であれば
    `),
    choices: list(`
      選択肢 | 方法 | 案
    `),
    choicesLead: list(`
      次の | 以下の | 二つの | 2つの | 三つの | 3つの | いくつかの | 可能な
    `),
  },
};
