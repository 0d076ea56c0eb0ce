/** Relays below `/admin`: add, enable, disable and remove. */
import {
  addRelay,
  disableRelay,
  enableRelay,
  listRelays,
  type Relay,
  removeRelay,
} from '@murmuration/contracts/federation'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { agoOf } from '../core/parts/time.js'
import { lineOf, problemOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badgeOf, type Tone, table } from './table.js'

const HERE = '/admin/relays'

const STATE: Readonly<Record<Relay['state'], readonly [Message, Tone]>> = {
  idle: [msg('Disabled'), 'neutral'],
  pending: [msg('Waiting for the relay'), 'warn'],
  accepted: [msg('Enabled'), 'ok'],
  rejected: [msg('Rejected by the relay'), 'bad'],
}

const CHANGES = new Map([
  ['enable', [enableRelay, msg('The relay was asked to take part.')]],
  ['disable', [disableRelay, msg('The relay was disabled.')]],
  ['remove', [removeRelay, msg('The relay was removed.')]],
] as const)

const buttons = ({ csrfField }: StaffRequest, { url, state }: Relay): Html =>
  html`<form class="row keep" method="post" action="${HERE}/change">${csrfField}<input type="hidden" name="url" value="${url}">${
    state === 'accepted' || state === 'pending'
      ? html`<button class="quiet" type="submit" name="do" value="disable">${t('Disable')}</button>`
      : html`<button class="quiet" type="submit" name="do" value="enable">${t('Enable')}</button>`
  }<button class="danger" type="submit" name="do" value="remove">${t('Remove')}</button></form>`

const show = async (request: StaffRequest, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const { relays } = await request.callApi(listRelays, {})
  request.show({
    title: t('Relays'),
    current: 'relays',
    refused: Boolean(problem),
    body: html`<p class="muted">${t('A relay passes public posts on between the servers that take part. Posts of other servers arrive without anyone following their authors.')}</p>${table(
      t('Relays'),
      [t('Address'), t('State'), t('Added'), ''],
      relays.map((one) => [
        html`<b class="long">${one.url}</b><p class="muted small">${one.style === 'inbox' ? html`${t('Takes posts as they are')}` : html`${t('Takes boosts of posts')}`}</p>`,
        badgeOf(STATE, one.state),
        agoOf(one.created_at, request.now),
        buttons(request, one),
      ]),
      t('This server takes part in no relay.'),
    )}<form class="card edit" method="post" action="${HERE}">${request.csrfField}<h2>${t('Add a relay')}</h2>${problemOf(problem)}${lineOf({ name: 'url', label: t('Address of the inbox or the actor'), placeholder: 'https://relay.example/inbox', help: t('The operators of a relay publish it. All public posts of this server are sent there.'), value: textIn(form, 'url'), required: true })}<button type="submit">${t('Add')}</button></form>`,
  })
}

export const addRelays = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_federation', (request) => show(request))
  admin.add('post', HERE, 'manage_federation', async (request, form) => {
    const problem = await attempt(() => request.callApi(addRelay, { url: textIn(form, 'url').trim() }))
    return problem ? show(request, form, problem) : request.done(HERE, t('The relay was asked to take part.'))
  })
  admin.add('post', `${HERE}/change`, 'manage_federation', async (request, form) => {
    const [operation, text] = CHANGES.get(form.do as 'enable') ?? []
    if (operation === undefined || text === undefined) throw pageNotFound()
    const problem = await attempt(() => request.callApi(operation, { url: textIn(form, 'url') }))
    request.done(HERE, problem ?? t(text))
  })
}
