/** Announcements below `/admin`: create, schedule, edit, unpublish and remove. */
import {
  createAnnouncement,
  listAllAnnouncements,
  removeAnnouncement,
  type StoredAnnouncement,
  updateAnnouncement,
} from '@murmuration/contracts/admin'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { dayOf, timeOf } from '../core/parts/time.js'
import { isOn, lineOf, linesOf, problemOf, switchOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, table } from './table.js'

const HERE = '/admin/announcements'
const pathOf = (id: string): string => `${HERE}/${id}`

interface Refused {
  readonly form: Fields
  readonly problem: string
}

/** Value of a `datetime-local` input in UTC; empty for null. */
const inputTime = (iso: string | null): string => (iso === null ? '' : iso.slice(0, 16))
/** Time of a `datetime-local` input as ISO 8601; null if empty. Invalid text is returned unchanged, and the operation refuses it. */
const timeIn = (form: Fields, name: string): string | null => {
  const text = textIn(form, name).trim()
  if (text === '') return null
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? `${text.length === 16 ? `${text}:00` : text}Z` : text
}

const wanted = (form: Fields) => ({
  text: textIn(form, 'text'),
  starts_at: timeIn(form, 'starts_at'),
  ends_at: timeIn(form, 'ends_at'),
  all_day: isOn(form, 'all_day'),
})

interface Shown {
  readonly text: string
  readonly starts_at: string
  readonly ends_at: string
  readonly all_day: boolean
  readonly scheduled_at: string
}
const shownOf = (one: StoredAnnouncement): Shown => ({
  text: one.text,
  starts_at: inputTime(one.starts_at),
  ends_at: inputTime(one.ends_at),
  all_day: one.all_day,
  scheduled_at: inputTime(one.scheduled_at),
})
const shownFrom = (form: Fields): Shown => ({
  text: textIn(form, 'text'),
  starts_at: textIn(form, 'starts_at'),
  ends_at: textIn(form, 'ends_at'),
  all_day: isOn(form, 'all_day'),
  scheduled_at: textIn(form, 'scheduled_at'),
})

/** Input for the time of publication. Published announcements have no such input. */
const scheduleOf = (shown: Shown, one: StoredAnnouncement | null): Html | '' => {
  if (one?.published_at) return ''
  const isUnpublished = one !== null && one.scheduled_at === null
  return lineOf({
    name: 'scheduled_at',
    label: t('Publish at (UTC)'),
    type: 'datetime-local',
    help: isUnpublished
      ? t('Empty: it stays unpublished.')
      : t('Empty: at once. Everyone on this server then sees it in their apps.'),
    value: shown.scheduled_at,
  })
}

const fields = (shown: Shown, one: StoredAnnouncement | null): Html =>
  html`${linesOf({ name: 'text', label: t('Text'), help: t('Links, hashtags, mentions and custom emoji work as in posts.'), value: shown.text, rows: 4, required: true })}<fieldset><legend>${t('Time of the event')}</legend><p class="muted small">${t('Optional. The announcement disappears when the event ends. Times are in UTC.')}</p><div class="pair">${lineOf({ name: 'starts_at', label: t('Starts'), type: 'datetime-local', value: shown.starts_at })}${lineOf({ name: 'ends_at', label: t('Ends'), type: 'datetime-local', value: shown.ends_at })}</div>${switchOf({ name: 'all_day', label: t('Show only the days'), on: shown.all_day })}</fieldset>${scheduleOf(shown, one)}`

const stateOf = (one: StoredAnnouncement): Html => {
  if (one.published_at) return badge(t('Published'), 'ok')
  return one.scheduled_at ? badge(t('Scheduled'), 'warn') : badge(t('Not published'))
}
const eventOf = ({ starts_at, ends_at, all_day }: StoredAnnouncement): Html => {
  if (starts_at === null || ends_at === null) return html`<span class="muted">–</span>`
  const show = all_day ? dayOf : timeOf
  return html`${show(starts_at)} – ${show(ends_at)}`
}

const list = async (request: StaffRequest, refused: Refused | null = null): Promise<void> => {
  const { announcements } = await request.callApi(listAllAnnouncements, {})
  request.show({
    title: t('Announcements'),
    current: 'announcements',
    refused: Boolean(refused),
    body: html`<details class="card"${refused || announcements.length === 0 ? html` open` : ''}><summary>${t('New announcement')}</summary><form class="edit" method="post" action="${HERE}">${request.csrfField}${problemOf(refused?.problem)}${fields(shownFrom(refused?.form ?? {}), null)}<button type="submit">${t('Publish')}</button></form></details>${table(
      t('Announcements'),
      [t('Announcement'), t('State'), t('Published'), t('Event'), ''],
      announcements.map((one) => {
        const at = one.published_at ?? one.scheduled_at
        return [
          html`<p class="quote">${one.text}</p>`,
          stateOf(one),
          at ? timeOf(at) : html`<span class="muted">–</span>`,
          eventOf(one),
          html`<form class="row keep" method="post" action="${pathOf(one.id)}">${request.csrfField}<a class="button quiet" href="${pathOf(one.id)}">${t('Edit')}</a>${
            one.published_at
              ? html`<button class="quiet" type="submit" name="do" value="withdraw">${t('Withdraw')}</button>`
              : html`<button class="quiet" type="submit" name="do" value="publish">${t('Publish')}</button>`
          }</form>`,
        ]
      }),
      t('No announcement was written yet.'),
    )}`,
  })
}

const storedOne = async ({ callApi }: StaffRequest, id: string): Promise<StoredAnnouncement> => {
  const one = (await callApi(listAllAnnouncements, {})).announcements.find((each) => each.id === id)
  if (!one) throw pageNotFound()
  return one
}

const show = async (request: StaffRequest, refused: Refused | null = null): Promise<void> => {
  const id = idIn(request.req.params.id)
  const one = await storedOne(request, id)
  request.show({
    title: t('Edit an announcement'),
    current: 'announcements',
    above: html`<a href="${HERE}">${t('Announcements')}</a>`,
    refused: Boolean(refused),
    body: html`<form class="card edit" method="post" action="${pathOf(id)}">${request.csrfField}<p>${stateOf(one)}</p>${problemOf(refused?.problem)}${fields(refused ? shownFrom(refused.form) : shownOf(one), one)}<div class="acts"><button type="submit" name="do" value="save">${t('Save')}</button></div></form><form class="card edit" method="post" action="${pathOf(id)}">${request.csrfField}<h2>${t('Remove the announcement')}</h2><p>${t('Its reactions are removed too. Withdraw it instead to publish it again later.')}</p><button class="danger" type="submit" name="do" value="remove">${t('Remove')}</button></form>`,
  })
}

/**
 * Saves the form of an announcement. Returns null, or the error message. Without a time, a scheduled announcement is
 * published, and an unpublished one stays unpublished.
 */
const save = async (request: StaffRequest, id: string, form: Fields): Promise<string | null> => {
  const { scheduled_at, published_at } = await storedOne(request, id)
  const given = timeIn(form, 'scheduled_at')
  const isChange = published_at === null && (given !== null || scheduled_at !== null)
  return attempt(() =>
    request.callApi(updateAnnouncement, { id, ...wanted(form), ...(isChange ? { scheduled_at: given } : {}) }),
  )
}

export const addAnnouncements = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_announcements', (request) => list(request))
  admin.add('post', HERE, 'manage_announcements', async (request, form) => {
    const scheduled_at = timeIn(form, 'scheduled_at')
    let isPublished = true
    const problem = await attempt(async () => {
      const made = await request.callApi(createAnnouncement, { ...wanted(form), scheduled_at })
      isPublished = made.published_at !== null
    })
    if (problem) return list(request, { form, problem })
    request.done(HERE, isPublished ? t('The announcement was published.') : t('The announcement is scheduled.'))
  })
  admin.add('get', pathOf(':id'), 'manage_announcements', (request) => show(request))
  admin.add('post', pathOf(':id'), 'manage_announcements', async (request, form) => {
    const id = idIn(request.req.params.id)
    if (form.do === 'remove') {
      await request.callApi(removeAnnouncement, { id })
      return request.done(HERE, t('The announcement was removed.'))
    }
    if (form.do === 'save') {
      const problem = await save(request, id, form)
      return problem ? show(request, { form, problem }) : request.done(HERE, t('The announcement was changed.'))
    }
    if (form.do !== 'publish' && form.do !== 'withdraw') throw pageNotFound()
    const problem = await attempt(() => request.callApi(updateAnnouncement, { id, published: form.do === 'publish' }))
    request.done(HERE, problem ?? t('The announcement was changed.'))
  })
}
