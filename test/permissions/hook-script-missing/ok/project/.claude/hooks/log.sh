#!/bin/sh
cat >> calls.log
