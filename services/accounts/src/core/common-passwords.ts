/** Passwords that are guessed first: the list of a library, read when the first password is judged (D003). */
import type { Context } from '../context.js'
import { PASSWORD } from './credential.rules.js'

let list: Promise<ReadonlySet<string>> | undefined

const read = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  // Shorter ones are refused for their length.
  return new Set(dictionary['passwords-common'].filter((one) => one.length >= PASSWORD.min))
}

/** Tells whether a password, in lower case, is on the list. */
export const commonPasswords = async (): Promise<(password: string) => boolean> => {
  list ??= read().catch((error: unknown) => {
    list = undefined
    throw error
  })
  const known = await list
  return (password) => known.has(password)
}

/** Names by which a password must not go. */
export const namesNear = (ctx: Pick<Context, 'site'>, username: string): string[] => [
  username,
  ctx.site.localDomain,
  ctx.site.webDomain,
]
