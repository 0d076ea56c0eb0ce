-- move: older strikes get the stamp of the decision that was made with them

update strikes s set stamp = d.stamp from decisions d
  where d.account_id = s.target_account_id and d.state = s.action and d.wanted
    and abs(extract(epoch from s.created_at - d.stamp::timestamptz)) < 5;
