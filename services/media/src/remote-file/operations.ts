/**
 * Handler that redirects to the copy of a remote file, which is fetched if there is none. Instead of an avatar or header
 * without a copy, clients get the default picture.
 */
import { fail, isUserAgentOf, notFound, reply } from '@murmuration/contracts/kit'
import { showProxied } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { attachmentById } from '../core/attachment/store.js'
import { type PictureKind, pictureById } from '../core/picture/store.js'
import type { Due } from '../core/remote-file/copy.store.js'
import { readToken, type SubjectLetter, type Token } from '../core/remote-file/proxy-token.rules.js'
import { handle } from '../handlers.js'
import { copyRemote, type Outcome } from './copy-remote.js'

/** Milliseconds (5 minutes) after a failed fetch in which a request does not fetch the file again. */
const FAILED_MS = 300_000
const LOOK_MS = 200
const SPARE_MS = 1_500
/** Seconds for which clients may cache the redirect to a copy, and to a default picture. */
const COPY_S = 300
const DEFAULT_S = 60

interface Found {
  key: string | null
  failedAt: Date | null
  /** Kind of a picture; undefined for attachments. */
  kind?: PictureKind
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
    return row?.remote_url ? { key: row.key, failedAt: row.failed_at, kind: row.kind } : null
  },
  s: async (ctx, id) => {
    const row = await pictureById(ctx.db, id)
    return row?.remote_url ? { key: row.still_key ?? row.key, failedAt: row.failed_at, kind: row.kind } : null
  },
}

interface Copy {
  /** Key of the copy; null if there is no copy yet. */
  key: string | null
  /** True if a fetch failed recently. */
  hasFailed: boolean
  kind: PictureKind | undefined
}

/** The copy of a remote file. Throws 404 if the file is unknown. */
const copyOf = async (ctx: Context, token: Token): Promise<Copy> => {
  const found = await KEYS[token.letter](ctx, token.id)
  if (found === null) throw notFound('Not Found')
  const { failedAt, kind } = found
  const key = found.key !== null && (await ctx.files.has(found.key)) ? found.key : null
  return { key, hasFailed: failedAt !== null && failedAt.getTime() > ctx.clock.now() - FAILED_MS, kind }
}

/** Waits for the copy that another process makes. */
const awaitCopy = async (ctx: Context, token: Token, endsAt: number): Promise<Copy> => {
  const copy = await copyOf(ctx, token)
  if (copy.key !== null || copy.hasFailed || performance.now() > endsAt - SPARE_MS) return copy
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

const redirect = (address: string, seconds: number) =>
  reply('', {
    status: 302,
    headers: {
      Location: address,
      'Cache-Control': `public, max-age=${seconds}`,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  })

export const show = handle(showProxied, async (ctx, _viewer, { token: text }, request) => {
  const token = readToken(ctx.addresses.secret, text)
  // Without this check, a server that requests its own proxy address would loop infinitely (A134).
  const ourselves = isUserAgentOf(request.caller?.userAgent ?? '', ctx.site.origin)
  if (token === null || ourselves) throw fail('forbidden', 'This action is not allowed')
  let copy = await copyOf(ctx, token)
  if (copy.key === null && !copy.hasFailed) {
    const what = token.letter === 'a' || token.letter === 't' ? ('attachment' as const) : ('picture' as const)
    const outcome = await lookFor(ctx, { what, id: token.id }, request.endsAt)
    copy = outcome === 'busy' ? await awaitCopy(ctx, token, request.endsAt) : await copyOf(ctx, token)
  }
  if (copy.key !== null) return redirect(ctx.files.address(copy.key), COPY_S)
  if (copy.kind !== 'avatar' && copy.kind !== 'header') throw notFound('Not Found')
  return redirect(`${ctx.site.origin}/${copy.kind}s/original/missing.png`, DEFAULT_S)
})
