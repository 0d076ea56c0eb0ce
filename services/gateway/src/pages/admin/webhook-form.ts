/** Form of a webhook: URL, events, and body template. */
import { WEBHOOK_PERMISSION } from '@murmuration/contracts/admin'
import { type AdminWebhook, WebhookEvent } from '@murmuration/contracts/entities'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { isOn, lineOf, linesOf, problemOf, switchOf, textIn, valuesIn } from './controls.js'
import type { Fields, StaffRequest } from './frame.js'

type Shown = Pick<AdminWebhook, 'url' | 'template' | 'enabled'> & { readonly events: readonly string[] }

const EVENTS: Readonly<Record<WebhookEvent, Message>> = {
  'account.created': msg('Someone signed up'),
  'account.approved': msg('A sign-up was approved'),
  'account.updated': msg('An account was changed'),
  'report.created': msg('A report was submitted'),
  'report.updated': msg('A report was changed, such as resolved'),
  'status.created': msg('A public post was written'),
  'status.updated': msg('A public post was edited'),
}

/** Placeholders of templates by kind of event: name and description. */
const PLACEHOLDERS: readonly (readonly [title: Message, rows: readonly (readonly [string, Message])[]])[] = [
  [
    msg('All events'),
    [
      ['event', msg('Name of the event, such as report.created')],
      ['created_at', msg('Time of the event')],
      ['object.id', msg('Id of the account, report or post')],
    ],
  ],
  [
    msg('Events of accounts'),
    [
      ['object.username', msg('User name')],
      ['object.email', msg('E-mail address')],
      ['object.ip', msg('IP address')],
      ['object.invite_request', msg('Reason for joining')],
      ['object.account.url', msg('Address of the profile')],
    ],
  ],
  [
    msg('Events of reports'),
    [
      ['object.category', msg('Category of the report')],
      ['object.comment', msg('Comment of the reporter')],
      ['object.account.username', msg('User name of the reporter')],
      ['object.target_account.account.acct', msg('Handle of the reported account')],
    ],
  ],
  [
    msg('Events of posts'),
    [
      ['object.url', msg('Address of the post')],
      ['object.content', msg('Text as HTML')],
      ['object.account.acct', msg('Handle of the author')],
      ['object.language', msg('Language')],
    ],
  ],
]

const EXAMPLE = '{"text":"{{event}}:{{object.account.url}}"}'

const explained: (isOpen: boolean) => Html = (isOpen) =>
  html`<details${isOpen ? html` open` : ''}><summary>${t('Placeholders')}</summary><p class="help">${t('A placeholder is a path in double braces. A text is inserted without quotes, anything else as JSON, and a missing value as null.')}</p><p><code>${EXAMPLE}</code></p>${PLACEHOLDERS.map(
    ([title, rows]) =>
      html`<h2>${t(title)}</h2><dl class="details placeholders">${rows.map(
        ([path, meaning]) => html`<div><dt><code>{{${path}}}</code></dt><dd>${t(meaning)}</dd></div>`,
      )}</dl>`,
  )}</details>`

const eventControl = ({ may }: StaffRequest, { events }: Shown, name: WebhookEvent): Html => {
  const on = events.includes(name)
  const isFixed = !may(WEBHOOK_PERMISSION[name])
  return html`${switchOf({ id: `event-${name.replace('.', '-')}`, name: 'events[]', value: name, label: t(EVENTS[name]), help: html`<code>${name}</code>${isFixed ? html` ${t('Your role may not see this.')}` : ''}`, on, isFixed })}${
    isFixed && on ? html`<input type="hidden" name="events[]" value="${name}">` : ''
  }`
}

/** Hidden fields that keep events of a webhook that only a newer release knows. */
const unknownEvents = ({ events }: Shown): Html[] =>
  events
    .filter((name) => !Object.hasOwn(EVENTS, name))
    .map((name) => html`<input type="hidden" name="events[]" value="${name}">`)

export const webhookForm = (
  request: StaffRequest,
  { shown, path, problem, button }: { shown: Shown; path: string; problem: string | null; button: string },
): Html =>
  html`<form class="card edit wide" method="post" action="${path}">${request.csrfField}${problemOf(problem)}${lineOf({ name: 'url', label: t('Address'), type: 'url', placeholder: 'https://program.example/hook', value: shown.url, required: true })}<fieldset class="permissions"><legend>${t('Events')}</legend>${unknownEvents(shown)}${WebhookEvent.options.map(
    (name) => eventControl(request, shown, name),
  )}</fieldset>${linesOf({ name: 'template', label: t('Template of the body'), help: t('Optional. Without a template the whole event is sent as JSON.'), value: shown.template ?? '', rows: 6, max: 20_000, isCode: true })}${explained(shown.template !== null && shown.template !== '')}${switchOf({ name: 'enabled', label: t('Send events'), on: shown.enabled })}<div class="acts"><button type="submit" name="do" value="save">${button}</button></div></form>`

export const shownFrom = (form: Fields): Shown => ({
  url: textIn(form, 'url'),
  events: valuesIn(form, 'events'),
  template: textIn(form, 'template'),
  enabled: isOn(form, 'enabled'),
})

/** Converts the form of a webhook to the input of `createWebhook` and `updateWebhook`. */
export const wantedFrom = (form: Fields) => ({
  url: textIn(form, 'url').trim(),
  events: valuesIn(form, 'events'),
  template: textIn(form, 'template').trim() === '' ? null : textIn(form, 'template'),
  enabled: isOn(form, 'enabled'),
})
