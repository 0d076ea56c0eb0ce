/** Adds and removes passkeys and security keys. Adding one is the only settings page with a script. */
import { securityKeyAdd, securityKeyBegin, securityKeyRemove } from '@murmuration/contracts/accounts'
import { KEY_SCRIPT_PATH } from '../core/assets.js'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { keyForm } from '../core/parts/key-form.js'
import { fieldOf, panel, type Settings } from '../core/settings-frame.js'
import { HERE, showCodes, withProblems } from './second-factor.js'

export const addSecurityKeys = (settings: Settings): void => {
  settings.add('post', `${HERE}/keys`, 'second-factor', (desk, given) =>
    withProblems(desk, async () => {
      const name = fieldOf(given, 'name', 60)
      const { options, step } = await desk.ctx.call(securityKeyBegin, {
        session: desk.session,
        password: fieldOf(given, 'password'),
      })
      desk.show({
        title: t('Add a key'),
        scripts: [KEY_SCRIPT_PATH],
        body: panel(
          name || t('Security key'),
          html`<p>${t('Have your key ready. Your browser will ask for it.')}</p>${keyForm({
            kind: 'create',
            ask: options,
            action: `${HERE}/keys/add`,
            fields: html`${desk.proof}<input type="hidden" name="step" value="${step}"><input type="hidden" name="name" value="${name}">`,
            label: t('Use the key'),
          })}<p><a href="${HERE}">${t('Cancel')}</a></p>`,
        ),
      })
    }),
  )
  settings.add('post', `${HERE}/keys/add`, 'second-factor', (desk, given) =>
    withProblems(desk, async () => {
      const { backupCodes } = await desk.ctx.call(securityKeyAdd, {
        session: desk.session,
        step: fieldOf(given, 'step', 512),
        name: fieldOf(given, 'name', 60),
        credential: fieldOf(given, 'credential', 32_768),
      })
      if (backupCodes === null) desk.done(HERE, t('The key was added.'))
      else showCodes(desk, backupCodes)
    }),
  )
  settings.add('post', `${HERE}/keys/:id/remove`, 'second-factor', (desk, given) =>
    withProblems(desk, async () => {
      await desk.ctx.call(securityKeyRemove, {
        session: desk.session,
        password: fieldOf(given, 'password'),
        id: String(desk.req.params.id ?? '').slice(0, 30),
      })
      desk.done(HERE, t('The key was removed.'))
    }),
  )
}
