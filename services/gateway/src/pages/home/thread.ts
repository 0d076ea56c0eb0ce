/** One post below `/home` with its thread, and the form to reply. */
import { preferenceShow } from '@murmuration/contracts/accounts'
import type { Status, Visibility } from '@murmuration/contracts/entities'
import { showStatus, showThread } from '@murmuration/contracts/statuses'
import { html } from '../html.js'
import { sayOf } from '../language.js'
import { nameOf } from '../rich-text.js'
import { article, articles, statusPath } from './article.js'
import { defaultsOf } from './compose.js'
import { composeForm } from './compose-form.js'
import type { Fields, Home } from './frame.js'
import { idIn } from './id.js'
import { frameOf, liveAttributes, newestOf } from './timeline.js'

const NARROWEST_LAST: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct']

/** The narrower of two audiences. */
const narrower = (a: unknown, b: Visibility): Visibility =>
  NARROWEST_LAST[Math.max(NARROWEST_LAST.indexOf(a as Visibility), NARROWEST_LAST.indexOf(b))] ?? 'direct'

/** The fields of an empty reply: it mentions everyone in the post, and is shown to no more people than the post. */
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

export const addThread = (home: Home): void =>
  home.add('get', statusPath(':id'), async (visit) => {
    const { ask, proof, ctx, person, req } = visit
    const id = idIn(req.params.id)
    const [status, thread, chosen] = await Promise.all([
      ask(showStatus, { id }),
      ask(showThread, { id }),
      ask(preferenceShow, {}),
    ])
    const shown = status.reblog ?? status
    const frame = frameOf(visit, statusPath(id))
    const replies = thread.descendants
    await visit.show({
      title: sayOf('Post by %s', nameOf(shown.account)),
      body: html`${articles(thread.ancestors, frame, { threaded: true })}${article(status, frame, { main: true })}
<section id="reply">${composeForm(
        { form: replyTo(shown as Status, defaultsOf(chosen), person.viewer.id), label: 'Your reply' },
        { proof, domain: ctx.site.localDomain },
      )}</section>
<h2>Replies</h2><div id="posts"${liveAttributes(`${statusPath(id)}/new`, newestOf(replies, id))} data-order="oldest-first">${articles(replies, frame, { threaded: true })}</div>${replies.length === 0 ? html`<p class="soft" data-empty>No replies yet.</p>` : ''}`,
    })
  })
