/** Webhooks below `/admin`: list, create, change, test and delete, with their deliveries. */
import {
  createWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  showWebhook,
  testWebhook,
  updateWebhook,
} from '@murmuration/contracts/admin'
import type { AdminWebhook, AdminWebhookTest } from '@murmuration/contracts/entities'
import { type Html, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { numberOf, timeOf } from '../core/parts/time.js'
import { isOn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, definitionList, filtersIn, nextPage, table } from './table.js'
import { deliveries } from './webhook-deliveries.js'
import { shownFrom, wantedFrom, webhookForm } from './webhook-form.js'

const HERE = '/admin/webhooks'
const NEW = `${HERE}/new`
const ROWS = 100
const pathOf = (id: string): string => `${HERE}/${id}`

const stateOf = (one: AdminWebhook): Html => {
  if (one.paused_at) return badge(t('Paused'), 'bad')
  return one.enabled ? badge(t('Enabled'), 'ok') : badge(t('Disabled'))
}
const runs = (one: AdminWebhook): boolean => one.enabled && !one.paused_at

const list = async (request: StaffRequest): Promise<void> => {
  const max_id = idOrNull(filtersIn(request.req.query, ['max_id']).max_id)
  const { items, older } = await request.callApi.page(listWebhooks, {
    limit: ROWS,
    ...(max_id === null ? {} : { max_id }),
  })
  request.show({
    title: t('Webhooks'),
    current: 'webhooks',
    body: html`<p class="muted">${t('A webhook sends a signed request to another program when something happens here.')}</p><p class="acts"><a class="button" href="${NEW}">${t('New webhook')}</a></p>${table(
      t('Webhooks'),
      [t('Address'), t('Events'), t('State'), ''],
      items.map((one) => [
        html`<a href="${pathOf(one.id)}"><b class="long">${one.url}</b></a>`,
        html`<span class="states">${one.events.map((name) => html`<code>${name}</code>`)}</span>`,
        html`${stateOf(one)}${one.last_error ? html`<p class="bad small">${one.last_error}</p>` : ''}`,
        html`<form class="row keep" method="post" action="${pathOf(one.id)}">${request.csrfField}<button class="quiet" type="submit" name="do" value="test">${t('Test')}</button><a class="button quiet" href="${pathOf(one.id)}">${t('Edit')}</a></form>`,
      ]),
      t('No webhook was created yet.'),
    )}${items.length >= ROWS ? nextPage(HERE, {}, { max_id: older }) : ''}`,
  })
}

const showNew = (request: StaffRequest, form: Fields = { enabled: '1' }, problem: string | null = null): void =>
  request.show({
    title: t('New webhook'),
    current: 'webhooks',
    above: html`<a href="${HERE}">${t('Webhooks')}</a>`,
    refused: Boolean(problem),
    body: webhookForm(request, { shown: shownFrom(form), path: NEW, problem, button: t('Create') }),
  })

/** Card with the secret of a new webhook. Only the response to the request that created the webhook shows it. */
const secretCard = (secret: string | null): Html =>
  html`<section class="card preview" role="status"><h2>${t('Secret of the webhook')}</h2>${
    secret === null
      ? html`<p>${t('Your role may not see everything that the webhook sends, so its secret is not shown.')}</p>`
      : html`<p>${t('It is shown only now. Enter it in the program that receives the requests.')}</p><code class="big secret">${secret}</code><p class="muted small">${t('The header {code} of each request is the HMAC-SHA256 of the body with this secret.', { code: html`<code>X-Hub-Signature</code>` })}</p>`
  }</section>`

const testResult = ({ delivered, status, error, milliseconds }: AdminWebhookTest): Html => {
  const details = definitionList([
    [t('HTTP status'), status],
    [t('Error'), error === null ? null : error],
    [t('Time'), `${numberOf(milliseconds)} ms`],
  ])
  return delivered
    ? html`<section class="card" role="status"><p class="flash">${t('The webhook accepted the test.')}</p>${details}</section>`
    : html`<section class="card" role="alert"><p class="flash wrong">${t('The webhook did not accept the test.')}</p>${details}</section>`
}

interface Extra {
  /** HTML above the form of a webhook: the new secret, or the result of a test. */
  readonly above?: Html
  readonly form?: Fields
  readonly problem?: string | null
}

const show = async (request: StaffRequest, { above, form, problem = null }: Extra = {}): Promise<void> => {
  const id = idIn(request.req.params.id)
  const one = await request.callApi(showWebhook, { id })
  const path = pathOf(id)
  request.show({
    title: t('Webhook'),
    heading: html`${new URL(one.url).host} ${stateOf(one)}`,
    current: 'webhooks',
    above: html`<a href="${HERE}">${t('Webhooks')}</a>`,
    refused: Boolean(problem),
    body: html`${above ?? ''}<section class="card"><h2>${t('State')}</h2>${definitionList([
      [t('Created'), timeOf(one.created_at)],
      [t('Fails since'), one.failing_since && timeOf(one.failing_since)],
      [t('Last error'), one.last_error],
      [t('Paused'), one.paused_at && timeOf(one.paused_at)],
    ])}<form class="acts" method="post" action="${path}">${request.csrfField}<button type="submit" name="do" value="test">${t('Send a test')}</button>${
      runs(one)
        ? html`<button class="quiet" type="submit" name="do" value="disable">${t('Disable')}</button>`
        : html`<button class="quiet" type="submit" name="do" value="enable">${t('Enable')}</button>`
    }<button class="quiet" type="submit" name="do" value="rotate">${t('New secret')}</button></form><p class="help">${t('A new secret replaces the old one at once.')}</p></section>${webhookForm(request, { shown: form ? shownFrom(form) : one, path, problem, button: t('Save') })}<h2 id="deliveries">${t('Deliveries of the last week')}</h2>${await deliveries(request, id, path)}<form class="card edit" method="post" action="${path}">${request.csrfField}<h2>${t('Delete the webhook')}</h2><label class="choice"><input type="checkbox" name="sure" value="1" required> <span>${t('Delete it with its deliveries')}</span></label><p class="acts"><button class="danger" type="submit" name="do" value="delete">${t('Delete')}</button></p></form>`,
  })
}

const remove = async ({ callApi, done }: StaffRequest, id: string, form: Fields): Promise<void> => {
  if (!isOn(form, 'sure')) return done(pathOf(id), t('Nothing was deleted: confirm it with the checkbox.'))
  await callApi(removeWebhook, { id })
  done(HERE, t('The webhook was deleted.'))
}

const toggle = async ({ callApi, done }: StaffRequest, id: string, isOnNow: boolean): Promise<void> => {
  const problem = await attempt(() => callApi(isOnNow ? enableWebhook : disableWebhook, { id }))
  done(pathOf(id), problem ?? t('The webhook was changed.'))
}

const rotate = async (request: StaffRequest, id: string): Promise<void> => {
  let secret: string | null = null
  const problem = await attempt(async () => {
    secret = (await request.callApi(rotateWebhookSecret, { id })).secret
  })
  return problem ? request.done(pathOf(id), problem) : show(request, { above: secretCard(secret) })
}

const act = async (request: StaffRequest, form: Fields): Promise<void> => {
  const id = idIn(request.req.params.id)
  if (form.do === 'test') return show(request, { above: testResult(await request.callApi(testWebhook, { id })) })
  if (form.do === 'enable' || form.do === 'disable') return toggle(request, id, form.do === 'enable')
  if (form.do === 'rotate') return rotate(request, id)
  if (form.do === 'delete') return remove(request, id, form)
  if (form.do !== 'save') throw pageNotFound()
  const problem = await attempt(() => request.callApi(updateWebhook, { id, ...wantedFrom(form) }))
  return problem ? show(request, { form, problem }) : request.done(pathOf(id), t('The webhook was changed.'))
}

const create = async (request: StaffRequest, form: Fields): Promise<void> => {
  let made: AdminWebhook | undefined
  const problem = await attempt(async () => {
    made = await request.callApi(createWebhook, wantedFrom(form))
  })
  if (problem !== null || made === undefined) return showNew(request, form, problem)
  request.show({
    title: t('The webhook was created'),
    current: 'webhooks',
    above: html`<a href="${HERE}">${t('Webhooks')}</a>`,
    body: html`${secretCard(made.secret)}<p class="acts"><a class="button" href="${pathOf(made.id)}">${t('To the webhook')}</a></p>`,
  })
}

export const addWebhooks = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_webhooks', list)
  admin.add('get', NEW, 'manage_webhooks', (request) => showNew(request))
  admin.add('post', NEW, 'manage_webhooks', create)
  admin.add('get', pathOf(':id'), 'manage_webhooks', (request) => show(request))
  admin.add('post', pathOf(':id'), 'manage_webhooks', act)
}
