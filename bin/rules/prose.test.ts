/** The check of the prose of comments, test names and documents. */
import { expect, test } from 'vitest'
import { proseProblems, proseRules } from './prose.js'

const count = (text: string, path = 'services/statuses/src/filter/rules.ts') => proseProblems({ path, text }).length
const words = (n: number) => Array.from({ length: n }, () => 'word').join(' ')

test.each([
  ['a long sentence', `// ${words(31)}.\n`],
  ['a long sentence of several lines', `/**\n * ${words(20)}\n * ${words(11)}.\n */\n`],
  ['a clause as subject', '// Deletes rows. What is old goes first.\n'],
  ['an unknown person as subject', `${'test'}('nobody sees it', () => {})\n`],
  ['a metaphor', '/** The front door of the service. */\n'],
  ['a former term in code', `const ${'par'}${'cel'} = 1\n`],
])('%s is a problem', (_name, text) => {
  expect(count(text)).toBe(1)
})

test.each([
  ['sentences of 30 words', `// ${words(30)}. ${words(30)}.\n`],
  ['a question', '// Who reads this?\n'],
  ['names of code', `// Reads ${Array.from({ length: 40 }, () => '`name`').join(', ')}.\n`],
  ['two list entries', `/**\n * - ${words(20)}\n * - ${words(20)}\n */\n`],
  ['code between comments', `// ${words(20)}\nconst a = 1\n// ${words(20)}\n`],
])('%s is no problem', (_name, text) => {
  expect(count(text)).toBe(0)
})

test('a document is checked without its code blocks and tables', () => {
  const path = 'docs/guide.md'
  expect(count(`${words(20)}\n${words(11)}.\n`, path)).toBe(1)
  expect(count(`\`\`\`\n${words(31)}\n\`\`\`\n| ${words(31)} |\n`, path)).toBe(0)
  expect(count(`The ${'par'}${'cel'} is sent.\n`, path)).toBe(1)
})

test('the sources have no problem', () => {
  expect(proseRules()).toEqual([])
})
