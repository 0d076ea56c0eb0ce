/** Handler that redirects to the copy of a remote file, which is fetched if there is none. */
import { fail, isUserAgentOf, notFound, reply } from '@murmuration/contracts/kit'
import { showProxied } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { attachmentById } from '../core/attachment.store.js'
import { pictureById } from '../core/picture.store.js'
import { readToken, type SubjectLetter, type Token } from '../core/proxy-token.rules.js'
import type { Due } from '../core/remote-copy.store.js'
import { handle } from '../handlers.js'
import { copyRemote, type Outcome } from './copy-remote.js'

/** Milliseconds (5 minutes) after a failed fetch in which a request does not fetch the file again. */
const FAILED_MS = 300_000
const LOOK_MS = 200
const SPARE_MS = 1_500

interface Found {
  key: string | null
  failedAt: Date | null
}

const KEYS: Record<SubjectLetter, (ctx: Context, id: string) => Promise<Found | null>> = {
  a: async (ctx, id) => {
    const row = await attachmentById(ctx.db, id)
    return row?.remote_url ? { key: row.original_key, failedAt: row.failed_at } : null
  },
  t: async (ctx, id) => {
    const row = await attachmentById(ctx.db, id)
    return row?.remote_url ? { key: row.small_key, failedAt: row.failed_at } : null
  },
  p: async (ctx, id) => {
    const row = await pictureById(ctx.db, id)
    return row?.remote_url ? { key: row.key, failedAt: row.failed_at } : null
  },
  s: async (ctx, id) => {
    const row = await pictureById(ctx.db, id)
    return row?.remote_url ? { key: row.still_key ?? row.key, failedAt: row.failed_at } : null
  },
}

/**
 * Key of the copy of a remote file; null if there is no copy yet. Throws 404 if the file is unknown or a fetch failed
 * recently.
 */
const copyOf = async (ctx: Context, token: Token): Promise<string | null> => {
  const found = await KEYS[token.letter](ctx, token.id)
  if (found === null) throw notFound('Not Found')
  if (found.key !== null && (await ctx.files.has(found.key))) return found.key
  if (found.failedAt && found.failedAt.getTime() > ctx.clock.now() - FAILED_MS) throw notFound('Not Found')
  return null
}

/** Waits for the copy that another process makes. */
const awaitCopy = async (ctx: Context, token: Token, endsAt: number): Promise<string | null> => {
  const key = await copyOf(ctx, token)
  if (key !== null || performance.now() > endsAt - SPARE_MS) return key
  await ctx.clock.sleep(LOOK_MS)
  return awaitCopy(ctx, token, endsAt)
}

/** Fetches the copy. Returns `busy` at the deadline of the request. The fetch then continues without the request. */
const lookFor = async (ctx: Context, due: Due, endsAt: number): Promise<Outcome> => {
  const copying = copyRemote(ctx, due, 'look')
  copying.catch((error) => ctx.log.warn({ error }, 'a file of another server could not be fetched'))
  const late = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => late.resolve('busy'), Math.max(0, endsAt - SPARE_MS - performance.now()))
  try {
    return await Promise.race([copying, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

export const show = handle(showProxied, async (ctx, _viewer, { token: text }, request) => {
  const token = readToken(ctx.addresses.secret, text)
  // Without this check, a server that requests its own proxy address would loop infinitely (A134).
  const ourselves = isUserAgentOf(request.caller?.userAgent ?? '', ctx.site.origin)
  if (token === null || ourselves) throw fail('forbidden', 'This action is not allowed')
  let key = await copyOf(ctx, token)
  if (key === null) {
    const what = token.letter === 'a' || token.letter === 't' ? ('attachment' as const) : ('picture' as const)
    const outcome = await lookFor(ctx, { what, id: token.id }, request.endsAt)
    key = outcome === 'busy' ? await awaitCopy(ctx, token, request.endsAt) : await copyOf(ctx, token)
  }
  if (key === null) throw notFound('Not Found')
  return reply('', {
    status: 302,
    headers: {
      Location: ctx.files.address(key),
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  })
})
