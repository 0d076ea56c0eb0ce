/** Looks whether a page links back to a profile, itself or through one redirect of its first such link. */

import { readUri } from '@murmuration/activitypub/vocabulary/uri'
import { fetchLinkBack } from '@murmuration/contracts/federation'
import { meLinks, namesProfile } from '../../domain/link-back.js'
import { handle } from '../../doors.js'
import { readPage, redirectOf } from '../../outside/fetch/page.js'

export const linkBack = handle(fetchLinkBack, async (ctx, _viewer, { url, profile }) => {
  const uri = readUri(url)
  if (uri === null || !uri.startsWith('https:')) return { outcome: 'refused' as const, linksBack: false }
  const page = await readPage(ctx, uri)
  if (!page.ok) return { outcome: page.outcome, linksBack: false }
  const links = meLinks(page.html)
  const [first] = links
  const linksBack = namesProfile(links, profile) || (first !== undefined && (await redirectOf(ctx, first)) === profile)
  return { outcome: 'ok' as const, linksBack }
})
