/** The form of one webhook: address, events, and the template of its body. */
import { WEBHOOK_PERMISSION } from '@murmuration/contracts/admin'
import { type AdminWebhook, WebhookEvent } from '@murmuration/contracts/entities'
import { type Html, html } from '../core/html.js'
import { say } from '../core/language.js'
import { isOn, lineOf, linesOf, problemOf, switchOf, textIn, valuesIn } from './controls.js'
import type { Fields, StaffVisit } from './frame.js'

type Shown = Pick<AdminWebhook, 'url' | 'template' | 'enabled'> & { readonly events: readonly string[] }

const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'account.created': 'Someone signed up',
  'account.approved': 'A sign-up was approved',
  'account.updated': 'An account was changed',
  'report.created': 'A report was submitted',
  'report.updated': 'A report was changed, such as resolved',
  'status.created': 'A public post was written',
  'status.updated': 'A public post was edited',
}

/** Placeholders of templates by the kind of event. */
const PLACEHOLDERS: readonly (readonly [title: string, rows: readonly (readonly [string, string])[]])[] = [
  [
    'All events',
    [
      ['event', 'Name of the event, such as report.created'],
      ['created_at', 'Time of the event'],
      ['object.id', 'Id of the account, report or post'],
    ],
  ],
  [
    'Events of accounts',
    [
      ['object.username', 'User name'],
      ['object.email', 'E-mail address'],
      ['object.ip', 'IP address'],
      ['object.invite_request', 'Reason for joining'],
      ['object.account.url', 'Address of the profile'],
    ],
  ],
  [
    'Events of reports',
    [
      ['object.category', 'Category of the report'],
      ['object.comment', 'Comment of the reporter'],
      ['object.account.username', 'User name of the reporter'],
      ['object.target_account.account.acct', 'Handle of the reported account'],
    ],
  ],
  [
    'Events of posts',
    [
      ['object.url', 'Address of the post'],
      ['object.content', 'Text as HTML'],
      ['object.account.acct', 'Handle of the author'],
      ['object.language', 'Language'],
    ],
  ],
]

const EXAMPLE = '{"text":"{{event}}:{{object.account.url}}"}'

const explained: (isOpen: boolean) => Html = (isOpen) =>
  html`<details${isOpen ? html` open` : ''}><summary>Placeholders</summary><p class="help">A placeholder is a path in double braces. A text is inserted without quotes, anything else as JSON, and a missing value as null.</p><p><code>${EXAMPLE}</code></p>${PLACEHOLDERS.map(
    ([title, rows]) =>
      html`<h2>${say(title)}</h2><dl class="facts placeholders">${rows.map(
        ([path, meaning]) => html`<div><dt><code>{{${path}}}</code></dt><dd>${say(meaning)}</dd></div>`,
      )}</dl>`,
  )}</details>`

const eventControl = ({ may }: StaffVisit, { events }: Shown, name: WebhookEvent): Html => {
  const on = events.includes(name)
  const isFixed = !may(WEBHOOK_PERMISSION[name])
  return html`${switchOf({ id: `event-${name.replace('.', '-')}`, name: 'events[]', value: name, label: EVENTS[name], help: html`<code>${name}</code>${isFixed ? html` Your role may not see this.` : ''}`, on, isFixed })}${
    isFixed && on ? html`<input type="hidden" name="events[]" value="${name}">` : ''
  }`
}

export const webhookForm = (
  visit: StaffVisit,
  { shown, path, problem, button }: { shown: Shown; path: string; problem: string | null; button: string },
): Html =>
  html`<form class="card edit wide" method="post" action="${path}">${visit.proof}${problemOf(problem)}${lineOf({ name: 'url', label: 'Address', type: 'url', placeholder: 'https://program.example/hook', value: shown.url, required: true })}<fieldset class="permissions"><legend>Events</legend>${WebhookEvent.options.map(
    (name) => eventControl(visit, shown, name),
  )}</fieldset>${linesOf({ name: 'template', label: 'Template of the body', help: 'Optional. Without a template the whole event is sent as JSON.', value: shown.template ?? '', rows: 6, max: 20_000, isCode: true })}${explained(shown.template !== null && shown.template !== '')}${switchOf({ name: 'enabled', label: 'Send events', on: shown.enabled })}<div class="acts"><button type="submit" name="do" value="save">${say(button)}</button></div></form>`

export const shownFrom = (form: Fields): Shown => ({
  url: textIn(form, 'url'),
  events: valuesIn(form, 'events'),
  template: textIn(form, 'template'),
  enabled: isOn(form, 'enabled'),
})

/** The fields as the operations take them. */
export const wantedFrom = (form: Fields) => ({
  url: textIn(form, 'url').trim(),
  events: valuesIn(form, 'events'),
  template: textIn(form, 'template').trim() === '' ? null : textIn(form, 'template'),
  enabled: isOn(form, 'enabled'),
})
