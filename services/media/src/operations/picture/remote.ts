/** Gives our addresses for pictures of remote people, and has the new ones fetched. */
import { fetchRemoteJob, proxyUrls } from '@murmuration/contracts/media'
import { UNHEARD_MS } from '../../domain/patience.js'
import { datedAddress, remoteAddress } from '../../domain/remote.js'
import { handle } from '../../doors.js'
import { insertRemotePictures, knownPictures, nameEmojis, type Wanted } from '../../store/picture.js'
import { pictureAddress } from '../../views/picture.js'

const nameOf = (one: Pick<Wanted, 'owner' | 'kind'> & { remote_url: string | null }): string =>
  `${one.kind} ${one.owner} ${one.remote_url}`

/** A longer one is stored without its name. */
const MOST_SHORTCODE = 200

/** Known emoji whose shortcode is not stored yet. */
const unnamedAmong = (known: Awaited<ReturnType<typeof knownPictures>>, wanted: readonly Wanted[]) => {
  const shortcodes = new Map(wanted.map((one) => [nameOf(one), one.shortcode]))
  return known.flatMap((row) => {
    const shortcode = row.shortcode === null ? shortcodes.get(nameOf(row)) : null
    return shortcode ? [{ id: row.id, shortcode }] : []
  })
}

export const remote = handle(proxyUrls, async (ctx, _viewer, { items }) => {
  const own = [ctx.site.localDomain, ctx.site.webDomain]
  const asked = items.flatMap(({ owner, kind, remote: text, updated = null, domain, shortcode }) => {
    const address = remoteAddress(text, own)
    // Whoever saw a picture may keep it for ever, so that another one has an address of its own.
    const remote_url = address !== null && kind === 'emoji' ? datedAddress(address, updated) : address
    // The owner of an emoji is the domain it comes from.
    const of = domain ?? (kind === 'emoji' ? owner : null)
    const name = kind === 'emoji' && shortcode && shortcode.length <= MOST_SHORTCODE ? shortcode : null
    return remote_url === null
      ? []
      : [{ id: ctx.ids.next(), text, owner, kind, remote_url, domain: of, shortcode: name }]
  })
  const wanted = [...new Map(asked.map((one) => [nameOf(one), one])).values()]
  const before = await knownPictures(ctx.db, wanted)
  const names = new Set(before.map(nameOf))
  const unnamed = unnamedAmong(before, wanted)
  if (unnamed.length > 0) await ctx.db.tx((tx) => nameEmojis(tx, unnamed))
  const missing = wanted.filter((one) => !names.has(nameOf(one)))
  if (missing.length > 0)
    await ctx.db.tx(async (tx) => {
      const now = ctx.clock.date()
      const ids = await insertRemotePictures(tx, missing, { now, retryAt: new Date(now.getTime() + UNHEARD_MS) })
      await ctx.queue(tx, fetchRemoteJob, ...ids.map((id) => ({ what: 'picture' as const, id })))
    })
  const known = missing.length > 0 ? await knownPictures(ctx.db, wanted) : before
  const byName = new Map(known.map((row) => [nameOf(row), row]))
  const found = asked.flatMap((one) => {
    const row = byName.get(nameOf(one))
    return row ? [{ text: one.text, row }] : []
  })
  return {
    urls: Object.fromEntries(found.map(({ text, row }) => [text, pictureAddress(ctx.addresses, row.id)])),
    static_urls: Object.fromEntries(
      found.map(({ text, row }) => [text, pictureAddress(ctx.addresses, row.id, row.still_key !== null)]),
    ),
  }
})
