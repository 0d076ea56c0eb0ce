/** Job that fetches the pages that profile fields link to, and marks fields whose page links back to the profile. */
import { verifyLinksJob } from '@murmuration/contracts/accounts'
import { fetchLinkBack } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { accountById } from '../core/account/store.js'
import { linksToProve } from '../core/account/verified-link.rules.js'
import { work } from '../handlers.js'
import { markProved } from './verify-link.js'

export const verifyLinks = work(verifyLinksJob, async (ctx, { account }, { tries }) => {
  const row = await accountById(ctx.db, account)
  if (!row || row.suspended) return
  const local = row.domain === null
  const links = linksToProve(local ? row.fields : row.fields_html, local)
  const looked = await Promise.all(links.map((url) => ctx.call(fetchLinkBack, { url, profile: row.url })))
  const proved = links.filter((_, i) => looked[i]?.linksBack)
  if (proved.length) await markProved(ctx, account, proved)
  // Linked pages of profiles are often unavailable. After the last try, the field stays unverified.
  if (tries < verifyLinksJob.retry.times && looked.some((one) => one.outcome === 'later'))
    throw notYet('A page cannot be read yet')
})
