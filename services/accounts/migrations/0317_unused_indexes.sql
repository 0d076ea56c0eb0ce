-- contract: indexes whose queries use those of 0312, 0313 and 0314, which begin with the same columns
drop index if exists users_email_prefix;
drop index if exists users_role;
drop index if exists sign_ups_invite;
