/** The differences that docs/reference/api-differences.md explains. */
import { readFileSync } from 'node:fs'

const PAGE = new URL('../../docs/reference/api-differences.md', import.meta.url)

/** `*` in an explanation stands for anything, so that one reason can serve a key that appears in many answers. */
const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
  )

/** Rows of the page's tables: what differs, in backticks, and why. */
const explanations = (): string[] =>
  [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([^`]+)` \| \S.* \|$/gm)].map((match) => match[1] as string)

/** Differences without an explanation, and explanations without a difference. */
export const explained = (differences: readonly string[]): { open: string[]; stale: string[] } => {
  const reasons = explanations().map((text) => ({ text, matches: pattern(text) }))
  return {
    open: differences.filter((difference) => !reasons.some(({ matches }) => matches.test(difference))),
    stale: reasons.filter(({ matches }) => !differences.some((one) => matches.test(one))).map(({ text }) => text),
  }
}
