/** Tick that deletes pictures that remote accounts no longer show. */
import { cleanUpReplaced, replacedPictures } from '@murmuration/contracts/media'
import { inSteps } from '@murmuration/kernel'
import { remoteAddress } from '@murmuration/text'
import { tick } from '../handlers.js'
import { picturesByIds } from './store.js'

/** `size`: number of pictures per call of the media service. `steps`: maximum number of calls per run. */
const STEPS = { size: 500, steps: 20 }

/** Deletes pictures only if the account does not show them now, because the event that marked them may be late or repeated. */
export const deleteReplaced = tick('accounts.forget-replaced', 600_000, async (ctx) => {
  const own = [ctx.site.localDomain, ctx.site.webDomain]
  const nameOf = (owner: string, kind: string, url: string | null) =>
    url === null ? [] : [`${kind} ${owner} ${remoteAddress(url, own)}`]
  await inSteps(STEPS, async () => {
    const { pictures } = await ctx.call(replacedPictures, {})
    if (pictures.length === 0) return 0
    const accounts = await picturesByIds(ctx.db, [...new Set(pictures.map((one) => one.owner))])
    const current = new Set(
      accounts.flatMap(({ id, avatar, header }) => [...nameOf(id, 'avatar', avatar), ...nameOf(id, 'header', header)]),
    )
    const isShown = (one: (typeof pictures)[number]) => current.has(`${one.kind} ${one.owner} ${one.remote}`)
    const shown = pictures.filter(isShown).map((one) => one.id)
    const old = pictures.filter((one) => !isShown(one)).map((one) => one.id)
    await ctx.call(cleanUpReplaced, { shown, old })
    return pictures.length
  })
})
