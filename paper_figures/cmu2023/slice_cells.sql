-- SPDX-License-Identifier: MIT
-- Put behind device_panel.sql: the cells of each panel.
cell_of AS (
    SELECT p.panel, w.* FROM cell AS w JOIN panel AS p ON p.slice = w.slice
),
