/** The check of the catalogue finds missing and unused translations, and different arguments. */
import { expect, test } from 'vitest'
import { messagesIn } from './message-source.js'
import { messageProblems } from './messages.js'

const catalogue = (translations: Record<string, string>) => new Map([['de', new Map([['pages', translations]])]])
const source = (text: string) => ({ path: 'services/x/src/y.ts', text })
const check = (text: string, translations: Record<string, string>) =>
  messageProblems([source(text)], catalogue(translations))

test('messages are read from calls, conditions and tables', () => {
  const { messages, problems } = messagesIn(
    source("t(on ? 'On' : 'Off')\nconst all = [msg('One')]\ntranslate(locale, '{n} two', { n })\nother('Three')"),
  )
  expect(problems).toEqual([])
  expect(messages).toEqual([
    { text: 'On', at: 'services/x/src/y.ts:1', args: [] },
    { text: 'Off', at: 'services/x/src/y.ts:1', args: [] },
    { text: 'One', at: 'services/x/src/y.ts:2', args: null },
    { text: '{n} two', at: 'services/x/src/y.ts:3', args: ['n'] },
  ])
})

test('texts of errors are read from all calls that create errors', () => {
  const found = messagesIn(
    source(
      "const GONE = 'Gone'\nthrow fail('gone', GONE)\ninvalidField('A', on ? 'B' : other, errorText('{n} C', { n }))\nnew StreamRefusal(400, 'D')\nproblem('name', 'ERR_BLANK', 'E')",
    ),
  )
  expect(found.problems).toEqual([])
  expect(found.messages.map(({ text, args, isError }) => [text, args, isError])).toEqual([
    ['Gone', [], true],
    ['A', [], true],
    ['B', [], true],
    ['{n} C', ['n'], true],
    ['D', [], true],
    ['E', [], true],
  ])
})

test('texts of schema errors are read from contracts only', () => {
  const text = "z.string().refine(test, 'is odd')"
  expect(messagesIn({ path: 'packages/contracts/src/x.ts', text }).messages).toMatchObject([{ text: 'is odd' }])
  expect(messagesIn({ path: 'services/x/src/y.ts', text }).messages).toEqual([])
})

test('a complete catalogue has no problems', () => {
  expect(check("t('Home'); t('{count} left', { count })", { Home: 'Start', '{count} left': 'noch {count}' })).toEqual(
    [],
  )
})

test('an empty translation is allowed and means that it is missing', () => {
  expect(check("t('{name} left', { name })", { '{name} left': '' })).toEqual([])
})

test.each([
  ['a missing translation', "t('Home')", {}, /y\.ts:1 "Home" is not in .*\/de: add it/],
  ['an unused translation', '', { Home: 'Start' }, /pages\.json no source has the message "Home"/],
  ['other arguments', "t('{a}', { a })", { '{a}': '{b}' }, /has the arguments b instead of a/],
  ['an invalid translation', "t('{a}', { a })", { '{a}': '{a' }, /is not a valid ICU message/],
  ['an invalid message', "t('{a', { a })", { '{a': 'x' }, /y\.ts:1 "\{a" is not a valid ICU message/],
  ['a missing value', "t('{a}')", { '{a}': '{a}' }, /has the arguments a and receives none/],
  ['an unknown value', "t('Home', { a })", { Home: 'Start' }, /has the arguments none and receives a/],
  ['an error that is not in the catalogue', "fail('gone', 'New')", {}, /y\.ts:1 "New" is not in .*\/de: add it/],
  ['an error with a value and no name', "invalidField('{n} left')", { '{n} left': '{n}' }, /receives none/],
  ['a composed error', "invalidField(n + ' left')", {}, /composes a message/],
  ['an error of a constant elsewhere', "fail('gone', WORDS)", {}, /takes a message from elsewhere/],
  [
    'an error with a plural',
    "errorText('{n, plural, other {#}}', { n })",
    { '{n, plural, other {#}}': '{n}' },
    /has plain arguments only/,
  ],
  ['a composed message', "t('Hello ' + name)", {}, /composes a message/],
])('%s is a problem', (_, text, translations, problem) => {
  expect(check(text, translations as Record<string, string>)).toEqual([expect.stringMatching(problem)])
})

test('a message in two topics is a problem', () => {
  const twice = new Map([
    [
      'de',
      new Map([
        ['mail', { Home: 'Start' }],
        ['pages', { Home: 'Start' }],
      ]),
    ],
  ])
  expect(messageProblems([source("t('Home')")], twice)).toEqual([expect.stringMatching(/is also in .*mail\.json/)])
})
