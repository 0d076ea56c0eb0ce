/** Reads the imports of a source file. */

/** Packages that do no IO. Code that must do no IO may import them. */
const PURE = [
  /^@murmuration\/contracts/,
  /^@murmuration\/text/,
  /^@murmuration\/activitypub/,
  /^zod$/,
  /^node:(crypto|buffer|util|url|punycode)$/,
]

/** Whether an import is a package that does no IO. */
export const isPure = (target: string): boolean => PURE.some((pattern) => pattern.test(target))

/** Paths and packages in all static imports and re-exports of a file. */
export const importsOf = (text: string): string[] =>
  [
    ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]/gm),
    ...text.matchAll(/^import\s+['"]([^'"]+)['"]/gm),
  ].map((match) => match[1] ?? '')

/** Whether the file imports only types from the target. */
export const typeOnly = (text: string, target: string): boolean =>
  new RegExp(`^(?:import|export) type [^'"]*from\\s+['"]${RegExp.escape(target)}['"]`, 'm').test(text)
