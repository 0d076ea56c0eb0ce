/** Loads a list of common passwords from a library when the first password is checked (D003). */
import type { Context } from '../../context.js'
import { PASSWORD } from './rules.js'

let list: Promise<ReadonlySet<string>> | undefined

const read = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  // Passwords below the minimum length are left out of the list, because they are refused anyway.
  return new Set(dictionary['passwords-common'].filter((one) => one.length >= PASSWORD.min))
}

/** Returns a function that reports whether a password in lower case is on the list. */
export const commonPasswords = async (): Promise<(password: string) => boolean> => {
  list ??= read().catch((error: unknown) => {
    list = undefined
    throw error
  })
  const known = await list
  return (password) => known.has(password)
}

/** Public names, such as the user name, that are refused as a password. */
export const publicNames = (ctx: Pick<Context, 'site'>, username: string): string[] => [
  username,
  ctx.site.localDomain,
  ctx.site.webDomain,
]
