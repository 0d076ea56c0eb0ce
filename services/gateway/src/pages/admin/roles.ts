/** Roles and webhooks below `/admin`: roles are read, webhooks are read, enabled, disabled and tested. */
import { roleList } from '@murmuration/contracts/accounts'
import { disableWebhook, enableWebhook, listWebhooks, testWebhook } from '@murmuration/contracts/admin'
import { idIn } from '../home/id.js'
import { html } from '../html.js'
import { say, sayOf } from '../language.js'
import { agoOf } from '../parts/time.js'
import { nothingHere } from '../visit.js'
import { type Admin, attempt } from './frame.js'
import { badge, table } from './table.js'

const ROLES = '/admin/roles'
const WEBHOOKS = '/admin/webhooks'

export const addRoles = (admin: Admin): void =>
  admin.add('get', ROLES, 'manage_roles', async (visit) => {
    const roles = await visit.ask(roleList, {})
    visit.show({
      title: 'Roles',
      current: 'roles',
      body: html`<p class="soft">A role is assigned on the page about an account. Roles are created and changed with the API or the command line.</p>${table(
        'Roles',
        ['Role', 'Position', 'Permissions', 'Requirements'],
        roles.map((one) => [
          html`<a href="/admin/accounts?role_ids=${one.id}"><b>${one.id === '-99' ? say('Everyone') : one.name}</b></a> ${one.highlighted ? badge('Shown on profiles') : ''}`,
          one.position,
          html`<span class="states">${one.permission_names.map((name) => html`<code>${name}</code>`)}</span>`,
          one.require_2fa ? badge('Second factor', 'ok') : html`<span class="soft">–</span>`,
        ]),
        'There are no roles.',
      )}`,
    })
  })

export const addWebhooks = (admin: Admin): void => {
  admin.add('get', WEBHOOKS, 'manage_webhooks', async (visit) => {
    const { items } = await visit.ask.page(listWebhooks, { limit: 100 })
    visit.show({
      title: 'Webhooks',
      current: 'webhooks',
      body: html`<p class="soft">Webhooks are created and changed with the API. Their secrets are not shown here.</p>${table(
        'Webhooks',
        ['Address', 'State', 'Events', 'Last error', 'Created', ''],
        items.map((one) => [
          html`<b>${one.url}</b>`,
          one.paused_at ? badge('Paused', 'bad') : one.enabled ? badge('Enabled', 'ok') : badge('Disabled'),
          html`<span class="states">${one.events.map((name) => html`<code>${name}</code>`)}</span>`,
          one.last_error ?? html`<span class="soft">–</span>`,
          agoOf(one.created_at, visit.now),
          html`<form class="row" method="post" action="${WEBHOOKS}/${one.id}">${visit.proof}<button class="quiet" type="submit" name="do" value="test">Test</button>${
            one.enabled && !one.paused_at
              ? html`<button class="quiet" type="submit" name="do" value="disable">Disable</button>`
              : html`<button type="submit" name="do" value="enable">Enable</button>`
          }</form>`,
        ]),
        'No webhook was created yet.',
      )}`,
    })
  })
  admin.add('post', `${WEBHOOKS}/:id`, 'manage_webhooks', async ({ ask, req, done }, form) => {
    const id = idIn(req.params.id)
    let text = 'The webhook was changed.'
    const problem = await attempt(async () => {
      if (form.do === 'test') {
        const { delivered, status, error } = await ask(testWebhook, { id })
        text = delivered ? 'The webhook accepted the test.' : sayOf('The test failed: %s', error ?? String(status))
      } else if (form.do === 'enable') await ask(enableWebhook, { id })
      else if (form.do === 'disable') await ask(disableWebhook, { id })
      else throw nothingHere()
    })
    done(WEBHOOKS, problem ?? text)
  })
}
