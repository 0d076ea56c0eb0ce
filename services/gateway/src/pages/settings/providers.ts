/** Settings page of linked identity providers: link and remove. */
import { beginIdentitySignIn, listIdentities, removeIdentity, showSecondFactor } from '@murmuration/contracts/accounts'
import { Failure } from '@murmuration/contracts/kit'
import { failureMessage } from '../core/error-message.js'
import { html } from '../core/html.js'
import { t } from '../core/language.js'
import { dayOf } from '../core/parts/time.js'
import { providersOf } from '../core/providers.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'
import { passwordField } from './second-factor.js'

const HERE = '/settings/providers'

const show = async (context: SettingsContext, problem?: string): Promise<void> => {
  const { ctx, session, csrfField } = context
  const [{ identities }, { hasPassword }] = await Promise.all([
    ctx.call(listIdentities, { session }),
    ctx.call(showSecondFactor, { session }),
  ])
  const others = providersOf(ctx.config).filter(({ id }) => !identities.some((one) => one.provider === id))
  context.show({
    title: t('Other logins'),
    ...(problem ? { problem } : {}),
    body: html`${panel(
      t('Providers that sign you in'),
      identities.length
        ? html`<ul class="rows">${identities.map(
            (
              { provider, name, created_at },
              i,
            ) => html`<li><div><b>${name}</b><span class="muted small">${t('Since {date}', { date: dayOf(created_at) })}</span>
<details><summary>${t('Remove')}</summary><form method="post" action="${HERE}/remove">${csrfField}<input type="hidden" name="provider" value="${provider}">${passwordField(context, `remove-${i}`, hasPassword)}<button class="danger" type="submit">${t('Remove {name}', { name })}</button></form></details></div></li>`,
          )}</ul>`
        : html`<p class="muted">${t('None yet.')}</p>`,
    )}${others.map(({ id, name }, i) =>
      panel(
        name,
        html`<p>${t('Sign in here with your account at {name}.', { name })}</p><details><summary>${t('Join {name} to this account', { name })}</summary><form method="post" action="${HERE}/join">${csrfField}<input type="hidden" name="provider" value="${id}">${passwordField(context, `join-${i}`, hasPassword)}<button type="submit">${t('Continue')}</button></form></details>`,
      ),
    )}`,
  })
}

/** Runs `work`, and shows errors that the user can correct on the page. Rethrows every other error. */
const withProblems = async (context: SettingsContext, work: () => Promise<void>): Promise<void> => {
  try {
    await context.limit({ viewerId: context.user.viewer.id })
    await work()
  } catch (error) {
    if (!(error instanceof Failure) || !['unprocessable', 'unavailable'].includes(error.code)) throw error
    await show(context, failureMessage(error))
  }
}

/** Adds the settings page of identity providers. It is called only if an identity provider is enabled. */
export const addProviders = (settings: Settings): void => {
  settings.add('get', HERE, 'providers', (context) => show(context))
  settings.add('post', `${HERE}/join`, 'providers', (context, form) =>
    withProblems(context, async () => {
      const provider = fieldOf(form, 'provider', 100)
      const join = { session: context.session, password: fieldOf(form, 'password') }
      const { redirect, step } = await context.ctx.call(beginIdentitySignIn, { provider, next: HERE, join })
      context.pause(step)
      const name = providersOf(context.ctx.config).find(({ id }) => id === provider)?.name ?? provider
      // The page has a link instead of a redirect. The CSP `form-action` also applies to redirects, and the origin of
      // the provider is unknown here.
      context.show({
        title: t('Other logins'),
        body: panel(
          name,
          html`<p>${t('Sign in there to link it to this account.')}</p><p class="row"><a class="button" href="${redirect}" rel="noreferrer">${t('Continue to {name}', { name })}</a><a class="button quiet" href="${HERE}">${t('Cancel')}</a></p>`,
        ),
      })
    }),
  )
  settings.add('post', `${HERE}/remove`, 'providers', (context, form) =>
    withProblems(context, async () => {
      await context.ctx.call(removeIdentity, {
        session: context.session,
        provider: fieldOf(form, 'provider', 100),
        password: fieldOf(form, 'password'),
      })
      context.done(HERE, t('That provider signs you in no more.'))
    }),
  )
}
