-- For wrk: sends the requests of a file in turn, and tells what came of them.
-- In the file each request is its length on a line, then its bytes.
local requests, at = {}, 0

function init(arguments)
  local file = assert(io.open(arguments[1], 'rb'))
  for line in file:lines() do
    requests[#requests + 1] = file:read(tonumber(line))
  end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format('TOLD %d %d %d %d %d', summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.timeout + errors.status, latency:percentile(50), latency:percentile(99)))
end
