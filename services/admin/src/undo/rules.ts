/** Undo: which actions are final, and the responses to what cannot be undone. */
import type { UndoObstacle } from '@murmuration/contracts/admin'
import { type Failure, fail } from '@murmuration/contracts/kit'

const TEXTS: Record<UndoObstacle, string> = {
  already_undone: 'This action is undone already',
  changed_since: 'The state has changed since this action',
  not_permitted: 'This action is not allowed',
  not_recorded: 'This entry does not record the state before the action',
  account_deleted: 'The account is deleted',
  creation_is_final: 'A created account stays. Delete it instead',
  approval_is_final: 'An approval cannot be undone. Suspend the account instead',
  rejection_is_final: 'A rejected sign-up is deleted and cannot be restored',
  deletion_is_final: 'Deleted data cannot be restored',
  appeal_is_final: 'The account holder was notified of the decision',
  is_taken: 'Another one takes its place now',
  is_expired: 'It would have ended by now',
  is_deleted: 'It was deleted too long ago',
  picture_is_deleted: 'The picture is deleted. Disable an emoji to be able to undo that',
  login_is_final: 'A change of a login cannot be undone, because its owner was notified',
  retry_is_final: 'A retry cannot be undone',
  task_is_final: 'This work cannot be undone',
  terms_are_published: 'Published terms cannot be withdrawn. Publish new ones instead',
  test_was_sent: 'A test cannot be withdrawn after it was sent',
  warning_was_sent: 'A warning cannot be withdrawn after it was sent',
}

/** Actions that nothing can undo, each with its reason. */
export const FINAL: Readonly<Record<string, UndoObstacle>> = {
  approve_user: 'approval_is_final',
  reject_user: 'rejection_is_final',
  destroy_account: 'deletion_is_final',
  create_account_warning: 'warning_was_sent',
  destroy_status: 'deletion_is_final',
  approve_appeal: 'appeal_is_final',
  reject_appeal: 'appeal_is_final',
  create_user: 'creation_is_final',
  change_email_user: 'login_is_final',
  confirm_user: 'login_is_final',
  reset_password_user: 'login_is_final',
  disable_2fa_user: 'login_is_final',
  rotate_keys_user: 'task_is_final',
  create_backup_user: 'task_is_final',
  refresh_accounts: 'task_is_final',
  cull_accounts: 'deletion_is_final',
  prune_accounts: 'deletion_is_final',
  purge_domains: 'deletion_is_final',
  rotate_keys_accounts: 'task_is_final',
  follow_account: 'task_is_final',
  remove_media: 'deletion_is_final',
  remove_orphaned_media: 'deletion_is_final',
  refresh_media: 'task_is_final',
  end_follows_account: 'deletion_is_final',
  destroy_custom_emoji: 'picture_is_deleted',
  retry_host: 'retry_is_final',
  drop_deliveries: 'deletion_is_final',
  replay_dead_letter: 'retry_is_final',
  destroy_dead_letter: 'deletion_is_final',
  replay_events: 'retry_is_final',
  repair_counters: 'task_is_final',
  publish_terms_of_service: 'terms_are_published',
  test_webhook: 'test_was_sent',
}

export const textOfObstacle = (code: UndoObstacle): string => TEXTS[code]

const STATUS: Partial<Record<UndoObstacle, 'conflict' | 'forbidden'>> = {
  already_undone: 'conflict',
  changed_since: 'conflict',
  not_permitted: 'forbidden',
}

/** The refusal of an undo; `reason` in its body names the obstacle. */
export const refusalOf = (code: UndoObstacle): Failure =>
  fail(STATUS[code] ?? 'unprocessable', TEXTS[code], { body: { reason: code } })
