/** The server itself below `/admin`: rules, announcements and settings, read and changed. */
import {
  announcementCreate,
  announcementListAll,
  announcementRemove,
  announcementUpdate,
  ruleCreate,
  ruleList,
  ruleRemove,
  ruleUpdate,
  settingGet,
  settingSet,
} from '@murmuration/contracts/admin'
import { htmlToPlainText } from '@murmuration/text'
import { idIn } from '../home/id.js'
import { type Html, html } from '../html.js'
import { sayOf } from '../language.js'
import { timeOf } from '../parts/time.js'
import { nothingHere } from '../visit.js'
import { type Admin, attempt, type StaffVisit } from './frame.js'
import { badge, table } from './table.js'

const RULES = '/admin/rules'
const ANNOUNCEMENTS = '/admin/announcements'
const SETTINGS = '/admin/settings'

const showRules = async (visit: StaffVisit, problem: string | null = null): Promise<void> => {
  const rules = await visit.ask(ruleList, {})
  visit.show({
    title: 'Server rules',
    current: 'rules',
    problem,
    body: html`<form class="card inline" method="post" action="${RULES}">${visit.proof}<label class="unseen" for="text">New rule</label><input id="text" type="text" name="text" placeholder="New rule" maxlength="2000" required><button class="small" type="submit">Add</button></form>${table(
      'Server rules',
      ['Rule', ''],
      rules.map((one) => [
        html`<form class="inline" method="post" action="${RULES}/${one.id}">${visit.proof}<input type="text" name="text" value="${one.text}" maxlength="2000" aria-label="${sayOf('Text of rule %s', one.id)}"><input type="text" name="hint" value="${one.hint}" placeholder="Explanation" maxlength="2000" aria-label="${sayOf('Explanation of rule %s', one.id)}"><button class="quiet" type="submit" name="do" value="save">Save</button></form>`,
        html`<form method="post" action="${RULES}/${one.id}">${visit.proof}<button class="danger" type="submit" name="do" value="remove">Remove</button></form>`,
      ]),
      'This server has no rules yet.',
    )}`,
  })
}

const addRules = (admin: Admin): void => {
  admin.add('get', RULES, 'manage_rules', (visit) => showRules(visit))
  admin.add('post', RULES, 'manage_rules', async (visit, form) => {
    const problem = await attempt(() => visit.ask(ruleCreate, { text: String(form.text ?? '') }))
    return problem ? showRules(visit, problem) : visit.done(RULES, 'The rule was added.')
  })
  admin.add('post', `${RULES}/:id`, 'manage_rules', async (visit, form) => {
    const id = idIn(visit.req.params.id)
    const isRemoval = form.do === 'remove'
    const problem = await attempt(() =>
      isRemoval
        ? visit.ask(ruleRemove, { id })
        : visit.ask(ruleUpdate, { id, text: String(form.text ?? ''), hint: String(form.hint ?? '') }),
    )
    if (problem) return showRules(visit, problem)
    visit.done(RULES, isRemoval ? 'The rule was removed.' : 'The rule was changed.')
  })
}

const showAnnouncements = async (visit: StaffVisit, problem: string | null = null): Promise<void> => {
  const { announcements } = await visit.ask(announcementListAll, {})
  visit.show({
    title: 'Announcements',
    current: 'announcements',
    problem,
    body: html`<form class="card edit" method="post" action="${ANNOUNCEMENTS}">${visit.proof}<label for="text">New announcement</label><textarea id="text" name="text" rows="3" maxlength="10000" required></textarea><p class="soft small">Everyone on this server sees it in their apps at once.</p><button type="submit">Publish</button></form>${table(
      'Announcements',
      ['Announcement', 'State', 'Published', ''],
      announcements.map((one) => [
        html`<p class="quote">${htmlToPlainText(one.text)}</p>`,
        one.published_at
          ? badge('Published', 'ok')
          : one.scheduled_at
            ? badge('Scheduled', 'warn')
            : badge('Not published'),
        one.published_at
          ? timeOf(one.published_at)
          : one.scheduled_at
            ? timeOf(one.scheduled_at)
            : html`<span class="soft">–</span>`,
        html`<form class="row" method="post" action="${ANNOUNCEMENTS}/${one.id}">${visit.proof}${
          one.published_at
            ? html`<button class="quiet" type="submit" name="do" value="withdraw">Withdraw</button>`
            : html`<button type="submit" name="do" value="publish">Publish</button>`
        }<button class="danger" type="submit" name="do" value="remove">Remove</button></form>`,
      ]),
      'No announcement was written yet.',
    )}`,
  })
}

const addAnnouncements = (admin: Admin): void => {
  admin.add('get', ANNOUNCEMENTS, 'manage_announcements', (visit) => showAnnouncements(visit))
  admin.add('post', ANNOUNCEMENTS, 'manage_announcements', async (visit, form) => {
    const problem = await attempt(() => visit.ask(announcementCreate, { text: String(form.text ?? '') }))
    return problem ? showAnnouncements(visit, problem) : visit.done(ANNOUNCEMENTS, 'The announcement was published.')
  })
  admin.add('post', `${ANNOUNCEMENTS}/:id`, 'manage_announcements', async (visit, form) => {
    const id = idIn(visit.req.params.id)
    if (!['publish', 'withdraw', 'remove'].includes(String(form.do))) throw nothingHere()
    const problem = await attempt(() =>
      form.do === 'remove'
        ? visit.ask(announcementRemove, { id })
        : visit.ask(announcementUpdate, { id, published: form.do === 'publish' }),
    )
    if (problem) return showAnnouncements(visit, problem)
    visit.done(ANNOUNCEMENTS, form.do === 'remove' ? 'The announcement was removed.' : 'The announcement was changed.')
  })
}

/** Settings with several lines of text. An input of one line would remove the line breaks. */
const LONG = new Set([
  'site_short_description',
  'closed_registrations_message',
  'site_extended_description',
  'site_terms',
])

const textInput = (name: string, text: string): Html =>
  LONG.has(name) || text.includes('\n')
    ? html`<textarea name="value" rows="3" aria-label="${name}">${text}</textarea>`
    : html`<input type="text" name="value" value="${text}" maxlength="10000" aria-label="${name}">`

/** The input for one setting, by the kind of its value. */
const settingInput = (name: string, value: unknown): Html =>
  typeof value === 'boolean'
    ? html`<select name="value" aria-label="${name}"><option value="true"${value ? html` selected` : ''}>Yes</option><option value="false"${value ? '' : html` selected`}>No</option></select>`
    : textInput(name, value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value))

const showSettings = async (visit: StaffVisit, problem: string | null = null): Promise<void> => {
  const { settings } = await visit.ask(settingGet, {})
  visit.show({
    title: 'Server settings',
    current: 'settings',
    problem,
    body: html`<p class="soft">Each setting is saved on its own and works at once.</p>${table(
      'Server settings',
      ['Setting', 'Value'],
      Object.entries(settings).map(([name, value]) => [
        html`<code>${name}</code>`,
        html`<form class="inline" method="post" action="${SETTINGS}">${visit.proof}<input type="hidden" name="name" value="${name}">${settingInput(name, value)}<button class="quiet" type="submit">Save</button></form>`,
      ]),
      'There are no settings.',
    )}`,
  })
}

const addSettings = (admin: Admin): void => {
  admin.add('get', SETTINGS, 'manage_settings', (visit) => showSettings(visit))
  admin.add('post', SETTINGS, 'manage_settings', async (visit, form) => {
    const name = String(form.name ?? '').slice(0, 100)
    const problem = await attempt(() =>
      visit.ask(settingSet, { name, value: String(form.value ?? '').replaceAll('\r\n', '\n') }),
    )
    return problem ? showSettings(visit, problem) : visit.done(SETTINGS, 'The setting was saved.')
  })
}

export const addServer = (admin: Admin): void => {
  addRules(admin)
  addAnnouncements(admin)
  addSettings(admin)
}
