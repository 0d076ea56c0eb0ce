/** Finds out whom a text mentions: one question for all handles known here, and a bounded look outside for the others. */
import { type AccountRecord, accountResolve, accountWriter } from '@murmuration/contracts/accounts'
import type { ResultOf } from '@murmuration/contracts/kit'
import { handleKey, type MentionTarget, mentionsIn, normaliseDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { standingsOf } from '../core/viewer/standings.js'

/** Handles looked up here in one text, and among them those that may be asked for outside. */
const MOST_HANDLES = 200
const MOST_OUTSIDE = 10

export interface Mentioned {
  /** In the order of the text, each once. */
  people: AccountRecord[]
  /** Mention targets for rendering, by the `handleKey` of canonical handles. */
  targets: Map<string, MentionTarget>
  /** Canonical handles by the `handleKey` of what was typed. */
  accts: Map<string, string>
}

/** Distinct handles of a text as accounts knows them: `name`, or `name@domain`. */
export const handlesIn = (text: string, localDomain: string): string[] =>
  [...new Set(mentionsIn(text).map((token) => handleKey(token, localDomain)))].slice(0, MOST_HANDLES)

const keyOf = (record: Pick<AccountRecord, 'username' | 'domain'>): string => {
  const name = record.username.toLowerCase()
  return record.domain === null ? name : `${name}@${normaliseDomain(record.domain) ?? record.domain.toLowerCase()}`
}

/** Records by the handle that was asked for, which may be another than the canonical one. */
const askOutside = async (ctx: Context, handles: readonly string[]): Promise<[string, AccountRecord][]> => {
  const found = await Promise.all(
    handles.slice(0, MOST_OUTSIDE).map((handle) =>
      ctx.call(accountResolve, { handle }, { timeoutMs: ctx.config.resolveMs }).then(
        ({ record }): [string, AccountRecord | null] => [handle, record],
        // A handle whose server cannot be reached now stays text, because writing does not wait for other servers.
        (): [string, null] => [handle, null],
      ),
    ),
  )
  return found.filter((pair): pair is [string, AccountRecord] => pair[1] !== null)
}

/**
 * The people whom an author mentions. Left out without a word: nobody known, people who are suspended or not usable,
 * and those whom the author blocks, or whose domain they block.
 * @param known records that were asked for already, in the same round as others
 */
export const mentionsOf = async (
  ctx: Context,
  author: string,
  text: string,
  known: readonly AccountRecord[],
): Promise<Mentioned> => {
  const handles = handlesIn(text, ctx.site.localDomain)
  const byKey = new Map(known.map((record) => [keyOf(record), record]))
  const unknown = handles.filter((handle) => handle.includes('@') && !byKey.has(handle))
  for (const [handle, record] of await askOutside(ctx, unknown)) byKey.set(handle, record)
  const standings = await standingsOf(
    ctx,
    author,
    handles.flatMap((handle) => byKey.get(handle)?.id ?? []),
  )
  const wanted = (record: AccountRecord): boolean => {
    if (record.suspended || !record.usable) return false
    if (record.id === author) return true
    const standing = standings.get(record.id)
    return standing !== undefined && !standing.blocking && !standing.domain_blocking
  }
  const found = handles.flatMap((handle) => {
    const record = byKey.get(handle)
    return record && wanted(record) ? [[handle, record] as const] : []
  })
  return {
    people: [...new Map(found.map(([, record]) => [record.id, record])).values()],
    // The text is rewritten to canonical handles before it is rendered.
    targets: new Map(
      found.map(([, record]) => [keyOf(record), { url: record.url, username: record.username, acct: record.acct }]),
    ),
    accts: new Map(found.map(([handle, record]) => [handle, record.acct])),
  }
}

/** The author with what they chose for writing, and everybody known here whom a text names, in one request. */
export const writerOf = (ctx: Context, author: string, text: string): Promise<ResultOf<typeof accountWriter.output>> =>
  ctx.call(accountWriter, { id: author, handles: handlesIn(text, ctx.site.localDomain) })
