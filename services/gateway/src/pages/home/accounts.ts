/** Accounts below `/home`: lists, profiles, and the actions on follows and follow requests. */
import {
  authorizeFollowRequest,
  createFollow,
  listRelationships,
  rejectFollowRequest,
  removeFollow,
  showAccount as showAccountOperation,
} from '@murmuration/contracts/accounts'
import type { Account, Relationship } from '@murmuration/contracts/entities'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { accountTimeline } from '@murmuration/contracts/statuses'
import { attempt } from '../core/attempt.js'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { redirect } from '../core/redirect.js'
import { nameOf, plainText } from '../core/rich-text.js'
import { profileCard } from '../public/profile.js'
import { accountPath } from './article.js'
import { backIn, type Home, type HomeRequest } from './frame.js'
import { pageIn, postList } from './timeline.js'

const button = (state: Relationship): Html => {
  if (state.following)
    return html`<button class="quiet small" type="submit" name="do" value="unfollow">${t('Unfollow')}</button>`
  if (state.requested)
    return html`<button class="quiet small" type="submit" name="do" value="unfollow">${t('Withdraw the request')}</button>`
  return html`<button class="small" type="submit" name="do" value="follow">${t('Follow')}</button>`
}

const requestButtons = ({ requested_by: requestedBy }: Relationship): Html | '' =>
  requestedBy
    ? html`<button class="small" type="submit" name="do" value="authorize">${t('Accept the request')}</button><button class="quiet small" type="submit" name="do" value="reject">${t('Reject')}</button>`
    : ''

/** Follow and request buttons for an account; empty for the viewer's own account. */
const followForm = (
  { csrfField, user }: HomeRequest,
  id: string,
  state: Relationship | undefined,
  back: string,
): Html | '' =>
  state === undefined || id === user.viewer.id
    ? ''
    : html`<form class="row" method="post" action="${accountPath(id)}">${csrfField}<input type="hidden" name="back" value="${back}">${requestButtons(state)}${
        state.blocked_by || state.blocking ? '' : button(state)
      }</form>`

/** Accounts as rows with a follow button. One call loads the viewer's relationships to all of them. */
export const accountRows = async (request: HomeRequest, accounts: readonly Account[]): Promise<Html> => {
  const states =
    accounts.length === 0 ? [] : await request.callApi(listRelationships, { id: accounts.map(({ id }) => id) })
  const byId = new Map(states.map((state) => [state.id, state]))
  return html`<ul class="rows">${accounts.map((account) => {
    const state = byId.get(account.id)
    return html`<li id="a-${account.id}"><div><a class="who" href="${accountPath(account.id)}"><img class="avatar" src="${account.avatar_static}" alt="" width="46" height="46" loading="lazy"><span><b>${plainText(nameOf(account), account.emojis)}</b><span class="muted">@${account.acct}</span>${
      state?.followed_by ? html` <span class="badge">${t('follows you')}</span>` : ''
    }</span></a></div>${followForm(request, account.id, state, request.req.originalUrl)}</li>`
  })}</ul>`
}

const showAccount = async (request: HomeRequest): Promise<void> => {
  const { callApi, ctx, user, req } = request
  const id = idIn(req.params.id)
  const [account, page, [state]] = await Promise.all([
    callApi(showAccountOperation, { id }),
    callApi.page(accountTimeline, { id, ...pageIn(request) }),
    callApi(listRelationships, { id: [id] }),
  ])
  await request.show({
    title: nameOf(account),
    heading: plainText(nameOf(account), account.emojis),
    ...(id === user.viewer.id ? { current: 'profile' as const } : {}),
    body: html`${profileCard(account, ctx.site.localDomain, {
      named: false,
      actions: html`${state?.followed_by ? html`<p><span class="badge">${t('follows you')}</span></p>` : ''}${followForm(request, id, state, accountPath(id))}`,
    })}<h2>${t('Posts')}</h2>${await postList(request, page, { path: accountPath(id), empty: html`<p>${t('No posts yet.')}</p>`, filterContext: 'account' })}`,
  })
}

const OPERATIONS = new Map<unknown, readonly [AnyOperation, 'id' | 'account_id']>([
  ['follow', [createFollow, 'id']],
  ['unfollow', [removeFollow, 'id']],
  ['authorize', [authorizeFollowRequest, 'account_id']],
  ['reject', [rejectFollowRequest, 'account_id']],
])

export const addAccounts = (home: Home): void => {
  home.add('get', '/home/profile', ({ res, user }) => redirect(res, accountPath(user.viewer.id), 303))
  home.add('get', accountPath(':id'), showAccount)
  home.add('post', accountPath(':id'), async ({ callApi, req, done }, form) => {
    const id = idIn(req.params.id)
    const [operation, name] = OPERATIONS.get(form.do) ?? []
    if (!operation || !name) throw pageNotFound()
    const problem = await attempt(() => callApi(operation, { [name]: id }))
    done(backIn(form, accountPath(id)), problem ?? undefined)
  })
}
