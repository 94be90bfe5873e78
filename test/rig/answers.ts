/** One good answer to each question that loop puts to a model; tests spoil them. */
import type { AnswerName } from '../../src/model/answer.ts'
import type { AnswerOf } from '../../src/model/answer-schemas.ts'

export const goodAnswers: { [N in AnswerName]: AnswerOf<N> } = {
  shape: {
    goal: 'The cart adds the prices of its items up',
    scope: 'cart.js and its test',
    constraints: ['no new dependency'],
    assumptions: ['prices are whole cents'],
    criteria: [
      { name: 'tests pass', command: 'node --test', verification: 'execution output' },
      { name: 'the page shows the sum', command: null, verification: 'observation' },
    ],
    mustNot: [
      { name: 'a dependency is added', command: 'grep -q dependencies package.json' },
      { name: 'a test is skipped', command: 'grep -rq "skip:" test' },
    ],
    phases: 'plan → tasks',
    documents: { requirements: null, design: null, plan: 'cart.js holds the sum; the test calls it.' },
    points: 3,
    alt: 'a library for money',
    risk: null,
  },
  tasks: {
    tasks: [
      {
        id: 'T-001',
        subject: 'Add the sum to the cart',
        activeForm: 'Adding the sum to the cart',
        source: 'criterion "tests pass"',
        action: 'Write sum() in cart.js and export it.',
        criteria: 'sum([1, 2]) is 3',
        verify: 'node --test test/sum.test.js',
        files: ['cart.js'],
        blockedBy: [],
        points: 2,
      },
      {
        id: 'T-002',
        subject: 'Show the sum on the page',
        activeForm: 'Showing the sum on the page',
        source: 'criterion "the page shows the sum"',
        action: 'Call sum() where the page is made.',
        criteria: 'the page has the sum in it',
        verify: 'node --test test/page.test.js',
        files: ['page.js'],
        blockedBy: ['T-001'],
        points: 1,
      },
    ],
  },
  precheck: {
    misreadings: [
      { reading: 'all tables are to be dropped first', consequence: 'data is lost' },
      { reading: 'the old column may go at once', consequence: 'readers break' },
      { reading: 'only the code changes, not the data', consequence: 'rows stay wrong' },
    ],
    mustNot: [
      { name: 'a table is dropped', command: 'grep -riq "drop table" migrations' },
      { name: 'a column is renamed', command: 'grep -riq "rename column" migrations' },
    ],
    question: 'May the old column be removed in this change?',
  },
  counsel: {
    viewpoints: [
      { name: 'tester', diagnosis: 'the test compares a text with a number', confidence: 80 },
      { name: 'reader', diagnosis: 'sum() starts with an empty text', confidence: 70 },
    ],
    recommendation: 'Start the reduction with 0 and parse each price.',
    ifStillStuck: 'Print both values in the test.',
  },
  review: {
    viewpoints: ['correctness', 'idiom'],
    score: 8,
    idiomaticity: 8,
    cleanliness: 7,
    delivery: 9,
    confidence: 85,
    alt: null,
    risk: 'rounding of half cents',
    findings: [
      {
        severity: 'BLOCKER',
        rule: 'empty cart',
        file: 'cart.js',
        line: 3,
        quote: 'return items.reduce(add)',
        problem: 'an empty cart throws instead of giving 0',
        fix: 'give reduce an initial value',
      },
    ],
  },
  verification: {
    verdicts: [
      {
        id: 'f-1a2b',
        stands: true,
        quote: 'return items.reduce(add)',
        how: 'sum([]) throws a TypeError',
        command: 'node -e "require(\'./cart\').sum([])"',
      },
    ],
  },
  checklist: {
    rows: [{ item: 'libraries looked at', answer: 'dinero, currency.js', evidence: 'package.json:12' }],
  },
  deviations: {
    noDeviation: false,
    deviations: [
      {
        kind: 'edge case',
        before: 'a cart is never empty',
        found: 'the page asks for the sum before anything is in it',
        adjustment: 'reduce starts with 0',
        lesson: 'Sums in this project are asked for before there are items.',
      },
    ],
  },
  judge: { better: 'A', why: 'A keeps the public function and B renames it', confidence: 60 },
}

/** A copy of a good answer with one field, named by its path, put in place of the old one. */
export function spoilt(name: AnswerName, path: (string | number)[], value: unknown): unknown {
  const copy = structuredClone(goodAnswers[name]) as unknown
  const last = path.at(-1)
  const place = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], copy)
  if (last === undefined) return value
  ;(place as Record<string | number, unknown>)[last] = value
  return copy
}

/** A field of text in each answer. */
export const textFields: { [N in AnswerName]: (string | number)[] } = {
  shape: ['goal'],
  tasks: ['tasks', 0, 'action'],
  precheck: ['question'],
  counsel: ['recommendation'],
  review: ['findings', 0, 'problem'],
  verification: ['verdicts', 0, 'how'],
  checklist: ['rows', 0, 'answer'],
  deviations: ['deviations', 0, 'lesson'],
  judge: ['why'],
}
