/** Version of the tables after the first step. Older versions were never released. */
export const firstVersion = 4;

/**
 * The steps that upgrade the tables of the schema `telctl` from each version to the next. Never change a published step.
 *
 * Users and times are set by triggers and functions, so clients cannot forge them. Users who do not own the tables write
 * the log and leases only through functions that run as the owner. "session_user" is the user that signed in, even after
 * SET ROLE. Indexes skip lines without an account, which is nearly all of them.
 */
export const migrations: readonly string[] = [
  // Parameters of "add_lines": $1 to $5 are columns. $6 has the lines, separated by newlines. $7 is true for lines that
  // need the leases $8. $9 and $10 are the words and rollouts of runs that begin.
  `
CREATE TABLE telctl.ledgers (
  origin text NOT NULL, account text NOT NULL, salt text NOT NULL,
  unfiltered text NOT NULL DEFAULT '[]', sources text NOT NULL DEFAULT '{}', behind bigint,
  writer text, written timestamptz, PRIMARY KEY (origin, account));
CREATE TABLE telctl.entries (
  origin text NOT NULL, account text NOT NULL, set text NOT NULL, key text NOT NULL, entry text NOT NULL,
  writer text, written timestamptz, PRIMARY KEY (origin, account, set, key),
  FOREIGN KEY (origin, account) REFERENCES telctl.ledgers ON DELETE CASCADE);
CREATE TABLE telctl.leases (
  origin text NOT NULL, account text NOT NULL, token text NOT NULL, holder text NOT NULL,
  since timestamptz NOT NULL, until timestamptz NOT NULL, writer text NOT NULL DEFAULT '',
  PRIMARY KEY (origin, account));
CREATE TABLE telctl.runs (
  id bigserial PRIMARY KEY, writer text NOT NULL DEFAULT session_user,
  begun timestamptz NOT NULL DEFAULT clock_timestamp(), alive timestamptz, closed boolean NOT NULL DEFAULT false,
  imported boolean NOT NULL DEFAULT false, named boolean NOT NULL DEFAULT false, words text, rollout text,
  below boolean NOT NULL DEFAULT false);
CREATE TABLE telctl.lines (
  run bigint NOT NULL REFERENCES telctl.runs ON DELETE CASCADE, number integer NOT NULL,
  written timestamptz NOT NULL DEFAULT now(), origin text, account text, owner text, line text NOT NULL,
  PRIMARY KEY (run, number));
CREATE TABLE telctl.settled (run bigint PRIMARY KEY REFERENCES telctl.runs ON DELETE CASCADE);
CREATE TABLE telctl.plans (
  name text PRIMARY KEY, written timestamptz NOT NULL DEFAULT now(), plan text NOT NULL, writer text);
CREATE TABLE telctl.rollouts (
  id bigserial PRIMARY KEY, changed timestamptz NOT NULL DEFAULT now(), state text NOT NULL, rollout text NOT NULL,
  writer text, written timestamptz, first_run bigint);
CREATE TABLE telctl.rollout_accounts (
  rollout bigint NOT NULL REFERENCES telctl.rollouts ON DELETE CASCADE, position integer NOT NULL,
  wave integer NOT NULL, state text NOT NULL, account text NOT NULL, writer text, written timestamptz,
  PRIMARY KEY (rollout, position));
CREATE INDEX rollout_accounts_by_state ON telctl.rollout_accounts (rollout, wave, state, position);
ALTER TABLE telctl.runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone_reads ON telctl.runs FOR SELECT USING (true);
ALTER TABLE telctl.lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone_reads ON telctl.lines FOR SELECT USING (true);

CREATE FUNCTION telctl.stamp() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  NEW.writer := session_user;
  NEW.written := clock_timestamp();
  RETURN NEW;
END $$;
CREATE FUNCTION telctl.stamp_rollout() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.writer := session_user;
    NEW.written := clock_timestamp();
  ELSE
    NEW.id := OLD.id;
    NEW.writer := OLD.writer;
    NEW.written := OLD.written;
  END IF;
  NEW.changed := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON telctl.ledgers FOR EACH ROW EXECUTE FUNCTION telctl.stamp();
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON telctl.entries FOR EACH ROW EXECUTE FUNCTION telctl.stamp();
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON telctl.plans FOR EACH ROW EXECUTE FUNCTION telctl.stamp();
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON telctl.rollout_accounts FOR EACH ROW EXECUTE FUNCTION telctl.stamp();
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON telctl.rollouts FOR EACH ROW EXECUTE FUNCTION telctl.stamp_rollout();

CREATE FUNCTION telctl.begin_run(lives_ms bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  INSERT INTO telctl.runs (writer, begun, alive)
  VALUES (session_user, clock_timestamp(), clock_timestamp() + least(lives_ms, 600000) * interval '1 ms') RETURNING id
$$;
CREATE FUNCTION telctl.keep_run(bigint, lives_ms bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  UPDATE telctl.runs SET alive = clock_timestamp() + least(lives_ms, 600000) * interval '1 ms'
  WHERE id = $1 AND writer = session_user AND NOT closed
$$;
CREATE FUNCTION telctl.end_run(bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  UPDATE telctl.runs SET closed = true WHERE id = $1 AND writer = session_user
$$;
CREATE FUNCTION telctl.settle_run(bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  INSERT INTO telctl.settled SELECT id FROM telctl.runs
  WHERE id = $1 AND NOT closed AND alive < clock_timestamp() ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION telctl.add_lines(bigint[], integer[], text[], text[], text[], text, boolean[], text[], text[], text[])
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  added bigint;
  start record;
BEGIN
  PERFORM FROM telctl.runs WHERE id = ANY ($1) AND (closed OR writer <> session_user);
  IF FOUND THEN
    RAISE insufficient_privilege USING MESSAGE = 'a run takes lines of the user that began it, until its end';
  END IF;
  INSERT INTO telctl.lines (run, number, origin, account, owner, line)
  SELECT run, number, origin, account, owner, line
  FROM unnest($1, $2, $3, $4, $5, string_to_array($6, E'\\n'), $7)
    AS new (run, number, origin, account, owner, line, needs_leases)
  WHERE NOT needs_leases OR cardinality($8) =
    (SELECT count(*) FROM telctl.leases WHERE token = ANY ($8) AND until > clock_timestamp())
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  FOR start IN SELECT run, words, nullif(rollout, '')::bigint AS rollout FROM unnest($1, $9, $10) AS new (run, words, rollout)
    WHERE words IS NOT NULL
  LOOP
    IF start.rollout IS NOT NULL THEN
      UPDATE telctl.rollouts SET first_run = start.run WHERE id = start.rollout AND first_run IS NULL;
    END IF;
    UPDATE telctl.runs SET named = true, words = start.words, rollout = start.rollout,
      below = coalesce((SELECT first_run <> start.run FROM telctl.rollouts WHERE id = start.rollout), false)
    WHERE id = start.run AND NOT named;
  END LOOP;
  RETURN added;
END $$;

CREATE FUNCTION telctl.take_lease(text, text, text, text, lives_ms bigint, ended text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO telctl.leases AS old (origin, account, token, holder, writer, since, until)
  VALUES ($1, $2, $3, $4, session_user, clock_timestamp(),
    clock_timestamp() + least(lives_ms, 600000) * interval '1 ms')
  ON CONFLICT (origin, account) DO UPDATE
  SET token = excluded.token, holder = excluded.holder, writer = excluded.writer,
    since = excluded.since, until = excluded.until
  WHERE old.until <= clock_timestamp() OR (old.token IN (excluded.token, ended) AND old.writer = session_user);
  RETURN FOUND;
END $$;
CREATE FUNCTION telctl.renew_lease(text, lives_ms bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  UPDATE telctl.leases SET until = clock_timestamp() + least(lives_ms, 600000) * interval '1 ms'
  WHERE token = $1 AND writer = session_user;
  RETURN FOUND;
END $$;
CREATE FUNCTION telctl.drop_lease(text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  DELETE FROM telctl.leases WHERE token = $1 AND writer = session_user
$$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA telctl FROM PUBLIC;

CREATE INDEX runs_by_writer ON telctl.runs (writer, id);
CREATE INDEX runs_by_time ON telctl.runs (begun);
CREATE INDEX runs_by_rollout ON telctl.runs (rollout, id) WHERE rollout IS NOT NULL;
CREATE INDEX runs_unnamed ON telctl.runs (id) WHERE NOT named;
CREATE INDEX runs_open ON telctl.runs (alive) WHERE NOT closed;
CREATE INDEX lines_by_account ON telctl.lines (origin, account, run) WHERE origin IS NOT NULL;
CREATE INDEX lines_by_owner ON telctl.lines (origin, owner, run) WHERE origin IS NOT NULL;
`,
];
