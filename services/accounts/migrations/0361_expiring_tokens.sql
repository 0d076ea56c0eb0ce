-- expand: expired tokens that are not revoked yet, for the tick that ends them
create index concurrently if not exists access_tokens_expires_at on access_tokens (expires_at)
  where expires_at is not null and revoked_at is null;
