/** Polls below `/home`: the voting form and its action. */
import type { Poll } from '@murmuration/contracts/entities'
import { vote } from '@murmuration/contracts/statuses'
import { attempt } from '../core/attempt.js'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pollResults } from '../core/parts/status.js'
import { timeOf } from '../core/parts/time.js'
import { plainText } from '../core/rich-text.js'
import { backIn, type Home } from './frame.js'

interface PollPlace {
  readonly csrfField: Html
  readonly back: string
  /** Id of the post to scroll to after the vote. */
  readonly at: string
}

/** The voting form of a poll; its results if the poll has ended or the viewer has voted. */
export const pollForm = (poll: Poll, { csrfField, back, at }: PollPlace): Html => {
  if (poll.expired || poll.voted) return pollResults(poll)
  const type = poll.multiple ? 'checkbox' : 'radio'
  return html`<form class="vote" method="post" action="/home/polls/${poll.id}">${csrfField}<input type="hidden" name="back" value="${back}"><input type="hidden" name="at" value="${at}"><fieldset><legend>${poll.multiple ? html`${t('Poll, choose one or more')}` : html`${t('Poll, choose one')}`}</legend>${poll.options.map(
    ({ title }, n) =>
      html`<label class="choice"><input type="${type}" name="choices[]" value="${n}"> ${plainText(title, poll.emojis)}</label>`,
  )}</fieldset><p class="row"><button class="small" type="submit">${t('Vote')}</button>${
    poll.expires_at
      ? html`<span class="muted small">${t('until {date}', { date: timeOf(poll.expires_at) })}</span>`
      : ''
  }</p></form>`
}

export const addPoll = (home: Home): void =>
  home.add('post', '/home/polls/:id', async (request, form) => {
    const { req, callApi, done } = request
    const id = idIn(req.params.id)
    const back = `${backIn(form)}#s-${idIn(form.at)}`
    const choices = [form.choices ?? []].flat().map(String)
    if (choices.length === 0) return done(back, t('Choose an answer first.'))
    const problem = await attempt(() => callApi(vote, { id, choices }))
    done(back, problem ?? undefined)
  })
