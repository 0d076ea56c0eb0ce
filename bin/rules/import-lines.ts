/** Reads the imports of a source file. */

/** Packages without IO, which code without IO may import. */
const PURE = [
  /^@murmuration\/contracts/,
  /^@murmuration\/text/,
  /^@murmuration\/activitypub/,
  /^zod$/,
  /^node:(crypto|buffer|util|url|punycode)$/,
]

/** True for packages without IO. */
export const isPure = (target: string): boolean => PURE.some((pattern) => pattern.test(target))

/** Targets of all static imports and re-exports. */
export const importsOf = (text: string): string[] =>
  [
    ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]/gm),
    ...text.matchAll(/^import\s+['"]([^'"]+)['"]/gm),
  ].map((match) => match[1] ?? '')

/** True when the file imports only types from the target. */
export const typeOnly = (text: string, target: string): boolean =>
  new RegExp(`^(?:import|export) type [^'"]*from\\s+['"]${RegExp.escape(target)}['"]`, 'm').test(text)
