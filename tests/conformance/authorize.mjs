// The suite cannot send a token, so node loads this first: every request to this computer shows one.
// It asks in three ways: fetch, undici's request, and node's own http.

import http from "node:http";
import { createRequire } from "node:module";

const require = createRequire(`${process.env.CONFORMANCE}/package.json`);
const { Agent, setGlobalDispatcher } = require("undici");
const name = "authorization";
const value = `Bearer ${process.env.PHARO_MCP_HTTP_TOKEN}`;

// Both fetch and undici ask this dispatcher. Headers come as a list, as an object or as pairs.
const authorize = (dispatch) => (options, handler) => {
  const given = options.headers ?? {};
  const headers = Array.isArray(given)
    ? [...given, name, value]
    : { ...(typeof given[Symbol.iterator] === "function" ? Object.fromEntries(given) : given), [name]: value };
  return dispatch({ ...options, headers }, handler);
};
setGlobalDispatcher(new Agent().compose(authorize));

const request = http.request;
http.request = (options, ...rest) =>
  request({ ...options, headers: { ...options.headers, [name]: value } }, ...rest);
