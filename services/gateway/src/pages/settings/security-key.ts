/** Adds and removes passkeys and security keys. The page that adds a key is the only settings page with a script. */
import { addSecurityKey, beginSecurityKey, removeSecurityKey } from '@murmuration/contracts/accounts'
import { KEY_SCRIPT_PATH } from '../core/assets.js'
import { html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { keyForm } from '../core/parts/key-form.js'
import { fieldOf, panel, type Settings } from '../core/settings-frame.js'
import { HERE, showCodes, withProblems } from './second-factor.js'

export const addSecurityKeys = (settings: Settings): void => {
  settings.add('post', `${HERE}/keys`, 'second-factor', (context, given) =>
    withProblems(context, async () => {
      const name = fieldOf(given, 'name', 60)
      const { options, step } = await context.ctx.call(beginSecurityKey, {
        session: context.session,
        password: fieldOf(given, 'password'),
      })
      context.show({
        title: t('Add a key'),
        scripts: [KEY_SCRIPT_PATH],
        body: panel(
          name || t('Security key'),
          html`<p>${t('Have your key ready. Your browser will ask for it.')}</p>${keyForm({
            kind: 'create',
            callApi: options,
            action: `${HERE}/keys/add`,
            fields: html`${context.csrfField}<input type="hidden" name="step" value="${step}"><input type="hidden" name="name" value="${name}">`,
            label: t('Use the key'),
          })}<p><a href="${HERE}">${t('Cancel')}</a></p>`,
        ),
      })
    }),
  )
  settings.add('post', `${HERE}/keys/add`, 'second-factor', (context, given) =>
    withProblems(context, async () => {
      const { backupCodes } = await context.ctx.call(addSecurityKey, {
        session: context.session,
        step: fieldOf(given, 'step', 512),
        name: fieldOf(given, 'name', 60),
        credential: fieldOf(given, 'credential', 32_768),
      })
      if (backupCodes === null) context.done(HERE, t('The key was added.'))
      else showCodes(context, backupCodes)
    }),
  )
  settings.add('post', `${HERE}/keys/:id/remove`, 'second-factor', (context, given) =>
    withProblems(context, async () => {
      await context.ctx.call(removeSecurityKey, {
        session: context.session,
        password: fieldOf(given, 'password'),
        id: idIn(context.req.params.id),
      })
      context.done(HERE, t('The key was removed.'))
    }),
  )
}
