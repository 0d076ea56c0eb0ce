/** Page of one post below `/home`, with its thread and a reply form. */
import type { Status, Visibility } from '@murmuration/contracts/entities'
import { showStatus, showThread } from '@murmuration/contracts/statuses'
import { html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { nameOf } from '../core/rich-text.js'
import { article, articles, statusPath, withoutHidden } from './article.js'
import { defaultsOf } from './compose.js'
import { composeForm } from './compose-form.js'
import type { Fields, Home } from './frame.js'
import { frameOf, liveAttributes, newestOf } from './timeline.js'

/** Maximum number of ancestors and of replies on one page, because a thread may have thousands of posts. */
const MAX_ANCESTORS = 20
const MAX_REPLIES = 60

const NARROWEST_LAST: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct']

/** Returns the narrower of two visibilities. If one of them is unknown, such as one of a newer release, returns `direct`. */
const narrower = (a: unknown, b: Visibility): Visibility => {
  const levels = [a, b].map((one) => NARROWEST_LAST.indexOf(one as Visibility))
  return levels.includes(-1) ? 'direct' : (NARROWEST_LAST[Math.max(...levels)] ?? 'direct')
}

/**
 * Initial fields of a reply. The reply mentions the author and all mentioned accounts, and its visibility is not wider
 * than the post's.
 */
export const replyTo = (status: Status, defaults: Fields, viewerId: string): Fields => {
  const others = [status.account, ...status.mentions].filter(({ id }) => id !== viewerId)
  const handles = [...new Set(others.map(({ acct }) => `@${acct} `))]
  return {
    ...defaults,
    status: handles.join(''),
    spoiler_text: status.spoiler_text,
    visibility: narrower(defaults.visibility, status.visibility),
    in_reply_to_id: status.id,
  }
}

/** Number of replies on the previous pages, from the query. */
const skippedIn = (given: unknown): number => (typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : 0)

export const addThread = (home: Home): void =>
  home.add('get', statusPath(':id'), async (request) => {
    const { callApi, csrfField, ctx, user, req, preferences } = request
    const id = idIn(req.params.id)
    const [status, thread, chosen] = await Promise.all([
      callApi(showStatus, { id }),
      callApi(showThread, { id }),
      preferences(),
    ])
    const shown = status.reblog ?? status
    const frame = await frameOf(request, 'thread')
    const above = withoutHidden(thread.ancestors.slice(-MAX_ANCESTORS), frame)
    const hiddenAbove = thread.ancestors.at(-MAX_ANCESTORS - 1)
    const skipped = skippedIn(req.query.skip)
    const replies = thread.descendants.slice(skipped, skipped + MAX_REPLIES)
    const next = skipped + MAX_REPLIES
    const hasMore = thread.descendants.length > next
    const live = hasMore
      ? ''
      : html`${liveAttributes(`${statusPath(id)}/new`, newestOf(thread.descendants, id))} data-order="oldest-first"`
    await request.show({
      title: t('Post by {account}', { account: nameOf(shown.account) }),
      body: html`${hiddenAbove ? html`<p><a class="button quiet" href="${statusPath(hiddenAbove.id)}">${t('Earlier posts of this thread')}</a></p>` : ''}${articles(above, frame)}${article(status, frame, { main: true, previous: above.at(-1)?.id })}
<section id="reply">${composeForm(
        { form: replyTo(shown as Status, defaultsOf(chosen), user.viewer.id), label: t('Your reply') },
        { csrfField, domain: ctx.site.localDomain },
      )}</section>
<h2>${t('Replies')}</h2><div id="posts"${live}>${articles(replies, frame, shown.id)}</div>${
        hasMore
          ? html`<p><a class="button quiet" rel="next" href="${statusPath(id)}?skip=${next}">${t('More replies')}</a></p>`
          : ''
      }${thread.descendants.length === 0 ? html`<p class="muted" data-empty>${t('No replies yet.')}</p>` : ''}`,
    })
  })
