/** Registers the pages for sign-up, invites, confirmation, passwords, e-mail settings and account deletion. */
import { addOwnAccount } from '../core/own-account.js'
import type { Pages } from '../core/page-request.js'
import type { Sessions } from '../core/session.js'
import type { Settings } from '../core/settings-frame.js'
import { addConfirmation } from './confirmation.js'
import { addInvitation } from './invitation.js'
import { addInvites } from './invites.js'
import { addLeave } from './leave.js'
import { addMailChoice } from './mail-choice.js'
import { addPassword } from './password.js'
import { addSetup } from './setup.js'
import { addSignUp } from './sign-up.js'

export const addJoining = (pages: Pages, settings: Settings, sessions: Sessions): void => {
  addSignUp(pages, sessions)
  addInvitation(pages)
  addConfirmation(pages, sessions)
  addSetup(pages, sessions)
  addPassword(pages, sessions)
  addOwnAccount(settings, sessions)
  addInvites(settings)
  addMailChoice(pages, settings)
  addLeave(settings, sessions)
}
