-- expand: the planner knows how many accounts a domain has, which the statistics of a partial index do not say
create statistics if not exists accounts_reverse_domain on (reverse(domain)) from accounts;
analyze accounts;
